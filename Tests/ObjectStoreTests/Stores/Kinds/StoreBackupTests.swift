import Foundation
import ObjectStore
import TestSupport
import Testing

/// Copies of stores that are in use, with the same behavior for every kind of file.
@Suite struct StoreBackupTests {
    let directory = TemporaryStore()

    private func configuration(_ kind: TestedStore) throws -> StoreConfiguration {
        StoreConfiguration(
            try #require(kind.storeKind), path: kind.path(in: directory))
    }

    private func contents(_ store: StoreConfiguration) throws -> [String] {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(store)
        defer { coordinator.close() }
        return try ManagedObjectContext(coordinator: coordinator).contents()
    }

    @Test(arguments: TestedStore.inFiles)
    func storeInUseIsCopied(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let expected = try context.contents()
        let store = try configuration(kind)
        let copy = StoreConfiguration(store.kind, path: "\(directory.directory)/backups/copy", readOnly: true)
        let path = try #require(copy.path)
        var fractions: [Double] = []
        let isMade = try StoreBackup.copy(store, to: path) { fraction in
            if fractions.isEmpty {
                // A change that is saved during the copy is not in it.
                _ = try? context.insert(Author.self).name = "late"
                try? context.save()
            }
            fractions.append(fraction)
            return true
        }
        #expect(isMade && fractions == fractions.sorted() && fractions.last ?? 1 <= 1)
        // A small database is copied in one step, without a report of progress.
        #expect(!fractions.isEmpty || kind == .sqlite)
        let late = FetchRequest<Author>(matching: try FetchPredicate("name == 'late'"))
        #expect(try context.count(late) == (fractions.isEmpty ? 0 : 1))
        #expect(try contents(copy) == expected)
        #expect(try StoreBackup.problems(of: copy) == [])
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(directory.directory)/backups")
        #expect(names.filter { !$0.hasPrefix("copy-") } == ["copy"])
        let before = try Data(contentsOf: URL(filePath: path))
        #expect(throws: StoreError.self) { try StoreBackup.copy(store, to: path) }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    @Test(arguments: TestedStore.inFiles)
    func cancelledCopyLeavesNoFile(_ kind: TestedStore) throws {
        try kind.shelf(in: directory).coordinator.close()
        let before = try directory.files()
        let path = "\(directory.directory)/copy"
        #expect(
            try StoreBackup.copy(configuration(kind), to: path) { _ in false } == false || kind == .sqlite)
        if kind != .sqlite { #expect(try directory.files() == before) }
    }

    @Test(arguments: TestedStore.inFiles)
    func damagedStoreIsNotCopied(_ kind: TestedStore) throws {
        try kind.shelf(in: directory).coordinator.close()
        let url = URL(filePath: kind.path(in: directory))
        var bytes = try Data(contentsOf: url)
        let middle = bytes.count / 2
        for position in middle..<min(middle + 5000, bytes.count) { bytes[position] = UInt8(ascii: "<") }
        try bytes.write(to: url)
        let store = try configuration(kind)
        #expect(try StoreBackup.problems(of: store).isEmpty == false)
        let error = #expect(throws: StoreError.self) {
            try StoreBackup.copy(store, to: "\(directory.directory)/copy")
        }
        #expect(error?.code == .damaged)
        #expect(try directory.files().filter { $0.hasPrefix("copy") } == [])
    }

    @Test func referencesInDocumentAreChecked() throws {
        let context = try TestedStore.xml.shelf(in: directory)
        context.coordinator.close()
        let url = URL(filePath: TestedStore.xml.path(in: directory))
        let text = try String(contentsOf: url, encoding: .utf8)
        let first = try #require(text.firstRange(of: "idrefs=\"z"))
        try text.replacingCharacters(in: first, with: "idrefs=\"z9").write(
            to: url, atomically: false, encoding: .utf8)
        let problems = try StoreBackup.problems(of: configuration(.xml))
        #expect(problems.count == 1 && problems[0].contains("is referred to but does not exist"))
    }

    @Test func storeInMemoryCannotBeCopied() {
        #expect(throws: StoreError.self) { try StoreBackup.copy(.memory, to: directory.directory + "/copy") }
        #expect(throws: StoreError.self) { try StoreBackup.problems(of: .memory) }
    }
}
