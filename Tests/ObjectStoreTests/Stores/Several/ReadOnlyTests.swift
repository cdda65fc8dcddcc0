import Foundation
import ObjectStore
import ObjectStoreXML
import Testing

/// Stores that are opened for reading only.
@Suite struct ReadOnlyTests {
    let directory = TemporaryStore()

    private func configuration(_ kind: TestedStore, readOnly: Bool = true) -> StoreConfiguration {
        let path = kind.path(in: directory)
        return switch kind {
        case .xml: .xml(path: path, readOnly: readOnly)
        case .binary: .binary(path: path, readOnly: readOnly)
        default: .sqlite(path: path, readOnly: readOnly)
        }
    }

    private func context(_ kind: TestedStore, _ model: ManagedObjectModel? = nil) throws
        -> ManagedObjectContext
    {
        let coordinator = PersistentStoreCoordinator(model: try model ?? Library.model())
        try coordinator.addStore(configuration(kind))
        return ManagedObjectContext(coordinator: coordinator)
    }

    /// The files with their contents and modification times.
    private func state() throws -> [String: String] {
        var state: [String: String] = [:]
        for name in try directory.files() {
            let path = "\(directory.directory)/\(name)"
            var status = stat()
            stat(path, &status)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path)).hashValue
            state[name] = "\(bytes) \(status.st_mtim) \(status.st_ctim)"
        }
        return state
    }

    private func fill(_ kind: TestedStore) throws {
        try kind.shelf(in: directory).coordinator.close()
    }

    // MARK: - Reading

    @Test(arguments: TestedStore.inFiles)
    func readOnlyStoreLeavesNoTrace(_ kind: TestedStore) throws {
        try fill(kind)
        let before = try state()
        let contexts = try [context(kind), context(kind)]
        for context in contexts {
            #expect(try context.fetch(FetchRequest<Book>(orderedBy: [FetchOrder("id")])).count == 5)
            #expect(try context.objects(of: Author.self).map(\.books.count).sorted() == [1, 3])
            let stream = try context.stream(FetchRequest<Book>(orderedBy: [FetchOrder("title")]))
            #expect(try stream.next()?.title == "Emma")
            #expect(context.coordinator.store?.isReadOnly == true)
        }
        #expect(try state() == before)
        for context in contexts { context.coordinator.close() }
        #expect(try state() == before)
    }

    // Root may do everything, and the user is a property of the whole process, so the test runs in its own.
    @Test func readOnlyStoreOpensInReadOnlyDirectory() async {
        await #expect(processExitsWith: .success) {
            for kind in TestedStore.inFiles {
                let directory = TemporaryStore()
                try kind.shelf(in: directory).coordinator.close()
                chmod(kind.path(in: directory), 0o444)
                try FileManager.default.removeItem(atPath: kind.path(in: directory) + ".lock")
                chmod(directory.directory, 0o555)
                let isRoot = geteuid() == 0
                if isRoot { try #require(seteuid(65534) == 0) }
                let coordinator = PersistentStoreCoordinator(model: try Library.model())
                let path = kind.path(in: directory)
                let file = try #require(kind.storeKind)
                try coordinator.addStore(StoreConfiguration(file, path: path, readOnly: true))
                let context = ManagedObjectContext(coordinator: coordinator)
                try #require(try context.count(FetchRequest<Book>()) == 5)
                coordinator.close()
                if isRoot { try #require(seteuid(0) == 0) }
                chmod(directory.directory, 0o700)
                try #require(try directory.files() == [String(path.split(separator: "/").last ?? "")])
            }
        }
    }

    @Test func databaseIsReadDuringWrites() throws {
        let writer = try TestedStore.sqlite.shelf(in: directory)
        let reader = try context(.sqlite)
        #expect(try reader.count(FetchRequest<Book>()) == 5)
        try writer.insert(Author.self).name = "Fanny"
        try writer.save()
        #expect(try reader.count(FetchRequest<Author>()) == 3)
        writer.coordinator.close()
        #expect(try reader.count(FetchRequest<Author>()) == 3)
    }

    /// O5: A fetch updates the objects of a read-only store after the program that writes to it has saved.
    @Test func heldObjectsOfAReadOnlyStoreFollowItsWriter() throws {
        let writer = try TestedStore.sqlite.shelf(in: directory)
        let reader = try context(.sqlite)
        let emma = try #require(try reader.object(of: Book.self, matching: "title", equals: "Emma"))
        let persuasion = try #require(
            try reader.object(of: Book.self, matching: "title", equals: "Persuasion"))
        let lower = try #require(try reader.object(of: Book.self, matching: "title", equals: "emma"))
        let murray = try #require(emma.publisher)
        #expect(murray.books.count == 2)
        #expect(emma.authors.map(\.name) == ["Jane"])

        let written = try #require(try writer.object(of: Book.self, id: emma.id))
        written.title = "E."
        written.authors.replace(
            with: try writer.objects(of: Author.self, matching: "name", equals: "Cassandra"))
        try #require(try writer.object(of: Book.self, id: lower.id)).publisher = written.publisher
        try writer.delete(try #require(try writer.object(of: Book.self, id: persuasion.id)))
        try writer.save()

        #expect(try reader.object(of: Book.self, matching: "title", equals: "E.") === emma)
        #expect(emma.title == "E.")
        #expect(emma.authors.map(\.name) == ["Cassandra"])
        #expect(murray.books.map(\.title) == ["E.", "emma"])
        #expect(lower.publisher === murray)
        #expect(try reader.object(of: Book.self, id: persuasion.id) == nil)
        #expect(persuasion.isDeleted)

        written.title = "Emma"
        try writer.save()
        #expect(try reader.object(of: Book.self, id: emma.id)?.title == "Emma")
    }

    /// O5: A relationship of a read-only store shows the changes of the writing program, without a fetch before.
    @Test func relationshipsOfAReadOnlyStoreFollowItsWriter() throws {
        let writer = try TestedStore.sqlite.shelf(in: directory)
        let reader = try context(.sqlite)
        let emma = try #require(try reader.object(of: Book.self, matching: "title", equals: "Emma"))
        let murray = try #require(emma.publisher)
        #expect(murray.books.count == 2)

        let written = try #require(try writer.object(of: Book.self, id: emma.id))
        let egerton = try #require(try writer.object(of: Publisher.self, matching: "name", equals: "Egerton"))
        written.publisher = egerton
        try writer.save()
        #expect(emma.publisher?.name == "Egerton")

        egerton.name = "T. Egerton"
        try writer.save()
        #expect(emma.publisher?.name == "T. Egerton")

        written.publisher = try writer.object(of: Publisher.self, id: murray.id)
        written.title = "E."
        try writer.save()
        #expect(murray.books.map(\.title).contains("E."))
        #expect(emma.title == "E.")
    }

    @Test func databaseWithReadersIsLockedForWriter() throws {
        try fill(.sqlite)
        let reader = try context(.sqlite)
        let error = #expect(throws: StoreError.self) { try TestedStore.sqlite.context(in: directory) }
        #expect(error?.code == .locked)
        #expect(error?.message.hasPrefix("a program that reads it has the store open") == true)
        reader.coordinator.close()
        _ = try TestedStore.sqlite.context(in: directory)
    }

    @Test func logOfCrashIsRead() throws {
        let writer = try TestedStore.sqlite.shelf(in: directory)
        try writer.insert(Author.self).name = "Fanny"
        try writer.save()
        // A copy of the files equals the files after a crash.
        let copy = TemporaryStore()
        try FileManager.default.copyItem(atPath: directory.directory, toPath: copy.directory)
        let names = try copy.files()
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        let path = TestedStore.sqlite.path(in: copy)
        try coordinator.addStore(.sqlite(path: path, readOnly: true))
        #expect(try ManagedObjectContext(coordinator: coordinator).count(FetchRequest<Author>()) == 3)
        coordinator.close()
        #expect(try copy.files() == names)
        try FileManager.default.removeItem(atPath: path + "-shm")
        let error = #expect(throws: StoreError.self) {
            try coordinator.addStore(.sqlite(path: path, readOnly: true))
        }
        #expect(error?.message.contains("open the store once for writing") == true)
    }

    @Test func pathIsUsedLiterally() throws {
        let path = directory.directory + "/50% of #1?.sqlite"
        let model = try Library.model()
        try SQLiteStore(path: path, model: model).close()
        #expect(
            try SQLiteStore(path: path, model: model, readOnly: true).count(
                StoreRequest(entity: model.entities[0])) == 0)
    }

    // MARK: - Refusals

    @Test(arguments: TestedStore.inFiles)
    func changesOfReadOnlyObjectsAreRefused(_ kind: TestedStore) throws {
        try fill(kind)
        let before = try state()
        let context = try context(kind)
        let path = kind.path(in: directory)
        let book = try #require(try context.object(of: Book.self, id: 1))
        let changes: [() throws -> Void] = [
            { book.title = "changed" }, { try context.delete(book) },
            { book.authors.remove(try #require(book.authors.first { _ in true })) },
        ]
        for change in changes {
            try change()
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .readOnly)
            #expect(error?.path == path)
            #expect(error?.message.contains(" 1 cannot be changed: the store was added read-only") == true)
            #expect(throws: StoreError.self) { try context.count(FetchRequest<Book>()) }
            context.rollback()
        }
        #expect(throws: StoreError.self) { try context.insert(Book.self) }
        let everyBook = FetchRequest<Book>()
        #expect(throws: StoreError.self) { try context.updateAll(everyBook, setting: ["pages": 1]) }
        #expect(throws: StoreError.self) { try context.deleteAll(everyBook) }
        #expect(throws: StoreError.self) { try context.coordinator.store?.setMetadataEntries(["a": "b"]) }
        #expect(try context.coordinator.batch { try context.count(everyBook) } == 5)
        #expect(try state() == before)
    }

    @Test(arguments: TestedStore.inFiles)
    func readOnlyStoreHasToExistAndFitModel(_ kind: TestedStore) throws {
        let error = #expect(throws: StoreError.self) { try context(kind) }
        #expect(error?.code == .unreachable)
        #expect(!FileManager.default.fileExists(atPath: directory.directory))
        try fill(kind)
        let before = try state()
        let newer = try ManagedObjectModel(
            versionIdentifiers: ["2"], entities: [EntityDescription("Book", attributes: [.string("title")])])
        let old = try Library.model()
        let coordinator = PersistentStoreCoordinator(model: newer)
        let migration = StoreMigration(versions: [old, newer])
        for _ in 0..<2 {
            let error = #expect(throws: StoreError.self) {
                try coordinator.addStore(configuration(kind), migrating: migration)
            }
            #expect(error?.code == .modelMismatch)
            #expect(error?.message.contains("not read-only") == true)
            #expect(throws: StoreError.self) {
                try coordinator.forecast(configuration(kind), migrating: migration)
            }
        }
        #expect(try state() == before)
    }

    // MARK: - Several stores

    @Test(arguments: TestedStore.inFiles)
    func fetchesSpanReadOnlyAndOtherStores(_ kind: TestedStore) throws {
        try fill(kind)
        let context = try context(kind)
        try context.coordinator.addStore(.memory)
        let book = try context.insert(Book.self)
        #expect(try context.store(of: book) === context.coordinator.stores[1])
        book.title = "Lady Susan"
        try context.save()
        let request = FetchRequest<Book>(orderedBy: [FetchOrder("title")], limit: 3)
        #expect(try context.fetch(request).map(\.title) == ["Emma", "Lady Susan", "Mansfield Park"])
        #expect(
            try context.updateAll(
                FetchRequest<Book>(matching: FetchPredicate("title == 'Lady Susan'")), setting: ["pages": 80])
                == 1)
        #expect(book.pages == 80)
        let emma = try #require(try context.fetch(request).first)
        emma.pages = 1
        book.pages = 81
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.path == kind.path(in: directory))
        #expect(throws: StoreError.self) {
            try context.assign(context.insert(Book.self), to: context.coordinator.stores[0])
        }
    }
}
