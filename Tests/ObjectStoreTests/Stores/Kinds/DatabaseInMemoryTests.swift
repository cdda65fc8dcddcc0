import ObjectStore
import Testing

/// What a database in memory has, beyond the behavior of every kind of store.
@Suite struct DatabaseInMemoryTests {
    private static func context(history: Bool = false) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqliteInMemory(history: history))
        return ManagedObjectContext(coordinator: coordinator)
    }

    @Test func historyAndSQLWork() throws {
        let context = try Self.context(history: true)
        let author = try context.insert(Author.self)
        author.name = "Jane"
        try context.save()
        author.name = "Jane Austen"
        #expect(try context.sql("SELECT name FROM Author", as: String.self) == ["Jane Austen"])
        try context.save()
        #expect(try context.coordinator.history().map { $0.changes.count } == [1, 1])
    }

    @Test func twoDatabasesAreSeparate() throws {
        let (first, second) = (try Self.context(), try Self.context())
        try first.insert(Author.self).name = "Jane"
        try first.save()
        #expect(try second.count(FetchRequest<Author>()) == 0)
    }

    @Test func databaseIsCopiedIntoFile() throws {
        let directory = TemporaryStore()
        let context = try Self.context()
        try context.insert(Author.self).name = "Jane"
        try context.save()
        let store = try #require(context.coordinator.store)
        try context.coordinator.migrate(store: store, to: .sqlite(path: directory.path))
        #expect(try directory.rows("SELECT name FROM Author") == ["Jane"])
    }

    @Test func streamInBatchIsRefused() throws {
        let context = try Self.context()
        let error = #expect(throws: StoreError.self) {
            try context.coordinator.batch {
                try context.insert(Author.self).name = "Jane"
                try context.save()
                _ = try context.stream(FetchRequest<Author>(), of: ["name"])
            }
        }
        #expect(error.map { "\($0)".contains("cannot be read inside of a batch") } == true)
    }

    @Test func sharedDatabaseInMemoryIsRefused() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        let error = #expect(throws: StoreError.self) {
            try coordinator.addStore(StoreConfiguration(.sqliteInMemory, path: "", shared: true))
        }
        #expect(error.map { "\($0)".contains("cannot be shared") } == true)
    }

    /// SQLite's name of a database in memory is no file name.
    @Test func pathInMemoryIsRefused() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        for readOnly in [false, true] {
            let error = #expect(throws: StoreError.self) {
                try coordinator.addStore(.sqlite(path: ":memory:", readOnly: readOnly))
            }
            #expect(error.map { "\($0)".contains("use the kind sqliteInMemory") } == true)
        }
    }
}
