import Foundation
import ObjectStore
import TestSupport
import Testing

/// The behavior that all stores in files share.
@Suite struct FileStoreTests {
    let directory = TemporaryStore()

    private func error(opening kind: TestedStore, _ model: ManagedObjectModel? = nil) -> StoreError? {
        #expect(throws: StoreError.self) { try kind.open(in: directory, model) }
    }

    private func bytes(_ kind: TestedStore) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: kind.path(in: directory)))
    }

    private func write(_ bytes: Data, _ kind: TestedStore) throws {
        try FileManager.default.createDirectory(
            atPath: directory.directory, withIntermediateDirectories: true)
        try bytes.write(to: URL(fileURLWithPath: kind.path(in: directory)))
    }

    // MARK: - Contents

    @Test(arguments: TestedStore.inFiles)
    func reopenedStoreHasAllContents(_ kind: TestedStore) throws {
        let model = try Sample.model()
        let context = try kind.context(in: directory, model)
        try Sample.fill(context)
        try context.store.setMetadataEntries(["a": "b\u{0}\r"])
        let before = try context.contents()
        let largest = try context.largestIDs()
        let metadata = try context.store.metadata
        context.coordinator.close()
        let again = try kind.context(in: directory, try Sample.model())
        #expect(try again.contents() == before)
        #expect(try again.largestIDs() == largest)
        #expect(try again.store.metadata == metadata)
    }

    @Test(arguments: TestedStore.inFiles)
    func saveIsInFileWhenItReturns(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        try context.insert(Author.self).name = "saved"
        try context.save()
        try context.insert(Author.self).name = "not saved"
        _ = try context.count(FetchRequest<Author>())
        // A copy of the files equals the files after a power failure.
        let copy = TemporaryStore()
        try FileManager.default.copyItem(atPath: directory.directory, toPath: copy.directory)
        let found = try kind.context(in: copy)
        #expect(try found.objects(of: Author.self).map(\.name) == ["Jane", "Cassandra", "saved"])
        #expect(
            try found.contents()
                == context.contents().filter { !$0.hasPrefix("Author 4") && !$0.hasPrefix("Author_books 4") })
    }

    @Test(arguments: TestedStore.inFiles)
    func onlyOwnerHasAccessToFile(_ kind: TestedStore) throws {
        try kind.shelf(in: directory).coordinator.close()
        for path in [directory.directory, kind.path(in: directory)] {
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode.map { $0 & 0o077 } == 0, "\(path)")
        }
    }

    @Test(arguments: TestedStore.wholeFiles)
    func unchangedStoreIsNotWritten(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try FileManager.default.attributesOfItem(atPath: kind.path(in: directory))
        try context.coordinator.batch { _ = try context.count(FetchRequest<Book>()) }
        context.coordinator.close()
        try kind.context(in: directory).coordinator.close()
        let after = try FileManager.default.attributesOfItem(atPath: kind.path(in: directory))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
    }

    @Test(arguments: TestedStore.wholeFiles)
    func modeAndSymbolicLinkAreKept(_ kind: TestedStore) throws {
        let elsewhere = directory.directory + "/elsewhere"
        try kind.shelf(in: directory).coordinator.close()
        try FileManager.default.moveItem(atPath: kind.path(in: directory), toPath: elsewhere)
        try FileManager.default.createSymbolicLink(
            atPath: kind.path(in: directory), withDestinationPath: "elsewhere")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: elsewhere)
        let context = try kind.context(in: directory)
        try context.insert(Author.self).name = "new"
        try context.save()
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: kind.path(in: directory)) == "elsewhere"
        )
        let mode = try FileManager.default.attributesOfItem(atPath: elsewhere)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    /// The disk that the link leads to is not mounted yet. The store is made at the target of the link, or
    /// not at all.
    @Test(arguments: TestedStore.inFiles)
    func danglingLinkIsKept(_ kind: TestedStore) throws {
        let files = FileManager.default
        let path = kind.path(in: directory)
        let disk = directory.directory + "/disk"
        try files.createDirectory(atPath: directory.directory, withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: path, withDestinationPath: "disk/items")
        #expect(error(opening: kind)?.code == .unreachable)
        #expect(try files.contentsOfDirectory(atPath: directory.directory) == ["library.\(kind)"])
        try files.createDirectory(atPath: disk, withIntermediateDirectories: false)
        let context = try kind.shelf(in: directory)
        let contents = try context.contents()
        context.coordinator.close()
        #expect(try files.destinationOfSymbolicLink(atPath: path) == "disk/items")
        try files.removeItem(atPath: path)
        try files.moveItem(atPath: disk + "/items", toPath: path)
        #expect(try kind.context(in: directory).contents() == contents)
    }

    @Test(arguments: TestedStore.wholeFiles)
    func leftoversOfCrashAreOverwritten(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try context.contents()
        context.coordinator.close()
        let half = try bytes(kind).prefix(200)
        try half.write(to: URL(fileURLWithPath: kind.path(in: directory) + ".new"))
        let again = try kind.context(in: directory)
        #expect(try again.contents() == before)
        try again.insert(Author.self).name = "new"
        try again.save()
        #expect(!FileManager.default.fileExists(atPath: kind.path(in: directory) + ".new"))
    }

    // MARK: - Locks

    @Test(arguments: TestedStore.inFiles)
    func lockErrorNamesProcess(_ kind: TestedStore) throws {
        let store = try kind.open(in: directory)
        let error = error(opening: kind)
        #expect(error?.code == .inUse)
        #expect(error?.message.contains("\(ProcessInfo.processInfo.processIdentifier)") == true)
        store.close()
        try kind.open(in: directory).close()
    }

    /// Two names of one file are one store, whichever of them is used first.
    @Test(arguments: TestedStore.inFiles, [false, true])
    func lockErrorThroughLinkNamesProcess(_ kind: TestedStore, isThere: Bool) throws {
        let path = kind.path(in: directory)
        let link = directory.directory + "/link"
        if isThere { try kind.open(in: directory).close() }
        try FileManager.default.createDirectory(
            atPath: directory.directory, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        let store = try kind.open(link, Library.model())
        #expect(error(opening: kind)?.code == .inUse)
        store.close()
        let other = try kind.open(in: directory)
        let error = #expect(throws: StoreError.self) { try kind.open(link, Library.model()) }
        #expect(error?.code == .inUse)
        other.close()
    }

    @Test(arguments: TestedStore.wholeFiles)
    func editByOtherProgramIsNotOverwritten(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let edited = try bytes(kind) + Data("\n".utf8)
        try write(edited, kind)
        try context.insert(Author.self).name = "new"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.message.contains("another program changed the file") == true)
        #expect(try bytes(kind) == edited)
        #expect(context.insertedObjects.count == 1)
    }

    /// The removal by the other program may be intentional.
    @Test(arguments: TestedStore.wholeFiles)
    func removedFileIsNotRestoredBySave(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        try FileManager.default.removeItem(atPath: kind.path(in: directory))
        #expect(context.coordinator.damage?.code == .replaced)
        try context.insert(Author.self).name = "new"
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.message.contains("the file was removed") == true)
        let copy = "\(directory.directory)/copy"
        try context.coordinator.rescueReplacedStore(to: copy)
        context.rollback()
        context.coordinator.close()
        #expect(!FileManager.default.fileExists(atPath: kind.path(in: directory)))
        #expect(FileManager.default.fileExists(atPath: copy))
    }

    // MARK: - Refusals that change nothing

    @Test(arguments: TestedStore.inFiles)
    func storeOfAnotherModelRequiresMigration(_ kind: TestedStore) throws {
        try kind.shelf(in: directory).coordinator.close()
        let before = try bytes(kind)
        let other = try ManagedObjectModel(
            versionIdentifiers: ["2"], entities: [EntityDescription("Book", attributes: [.string("title")])])
        let error = error(opening: kind, other)
        #expect(error?.code == .modelMismatch)
        #expect(
            error?.message == "the store was written with model 1, this is model 2; it has to be migrated: "
                + "add it with a migration, and not read-only")
        #expect(try bytes(kind) == before)
    }

    @Test(arguments: TestedStore.inFiles, TestedStore.inFiles)
    func storeOfAnotherKindIsRefused(_ kind: TestedStore, _ other: TestedStore) throws {
        guard kind != other else { return }
        try other.shelf(in: directory).coordinator.close()
        let file = try bytes(other)
        try write(file, kind)
        #expect(error(opening: kind)?.code == .notADatabase)
        #expect(try bytes(kind) == file)
    }

    /// R6: An empty file is no store.
    @Test(arguments: TestedStore.inFiles)
    func emptyFileIsRefused(_ kind: TestedStore) throws {
        try write(Data(), kind)
        #expect(error(opening: kind)?.code == .damaged)
        #expect(try bytes(kind).isEmpty)
    }

    @Test(arguments: TestedStore.inFiles)
    func directoryIsRefused(_ kind: TestedStore) throws {
        try FileManager.default.createDirectory(
            atPath: kind.path(in: directory), withIntermediateDirectories: true)
        #expect(error(opening: kind)?.code == .unreachable)
    }
}
