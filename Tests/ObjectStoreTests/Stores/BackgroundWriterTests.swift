import ObjectStore
import SQLiteDriver
import Testing

/// A store with a background writer, and a store that another program has locked.
@Suite struct BackgroundWriterTests {
    let store = TemporaryStore()

    private func names(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(FetchRequest<Author>(orderedBy: [FetchOrder("id")])).map(\.name)
    }

    @Test func coordinatorReadsOldStateUntilMerge() throws {
        let context = try store.context()
        let coordinator = context.coordinator
        let author = try context.insert(Author.self)
        author.name = "A"
        try context.save()
        var sent: [SavedChanges] = []
        let observation = coordinator.observeSaves { sent.append($0) }

        let writer = try #require(try coordinator.beginBackgroundWrite()).open()
        #expect(coordinator.hasBackgroundWriter)
        var changes = SavedChanges()
        let saves = writer.observeSaves { changes.append($0) }
        let other = ManagedObjectContext(coordinator: writer)
        try other.fetch(FetchRequest<Author>()).first?.name = "a"
        try other.insert(Author.self).name = "B"
        try other.save()
        #expect(try store.rows("SELECT name FROM Author ORDER BY id") == ["a", "B"])
        #expect(try names(context) == ["A"])
        #expect(sent.isEmpty)

        try coordinator.merge(changes, into: [context])
        #expect(try names(context) == ["a", "B"])
        #expect(author.name == "a")
        #expect(sent == [changes])
        #expect(changes.inserted == [ObjectID(entity: "Author", id: 2)])

        // No other coordinator writes until the background writer has ended.
        let added = try context.insert(Author.self)
        added.name = "C"
        #expect(throws: StoreError.self) { try context.save() }
        writer.close()
        #expect(throws: StoreError.self) { try coordinator.store?.setMetadataEntries([:]) }
        coordinator.endBackgroundWrite()
        try context.save()
        #expect(added.id == 3)
        #expect(try store.rows("SELECT name FROM Author ORDER BY id") == ["a", "B", "C"])
        withExtendedLifetime((observation, saves)) {}
    }

    /// O10: `merge` refuses unsaved changes, and leaves them as they are.
    @Test func mergeRefusesUnsavedChanges() throws {
        let context = try store.context()
        let coordinator = context.coordinator
        let author = try context.insert(Author.self)
        author.name = "A"
        try context.save()
        let writer = try #require(try coordinator.beginBackgroundWrite()).open()
        let other = ManagedObjectContext(coordinator: writer)
        try other.fetch(FetchRequest<Author>()).first?.name = "a"
        try other.save()
        author.born = 1775
        let changes = SavedChanges(updated: [author.objectID])
        let error = #expect(throws: StoreError.self) { try coordinator.merge(changes, into: [context]) }
        #expect(
            error?.message
                == "a context has unsaved changes, such as Author 1; nothing was merged, roll the context back and merge again"
        )
        #expect(author.name == "A")
        #expect(author.born == 1775)
        context.rollback()
        try coordinator.merge(changes, into: [context])
        #expect(author.name == "a")
        #expect(author.born == nil)
        writer.close()
        coordinator.endBackgroundWrite()
    }

    @Test func unsavedChangesOfBackgroundWriterAreDiscarded() throws {
        let context = try store.context()
        let writer = try #require(try context.coordinator.beginBackgroundWrite()).open()
        let other = ManagedObjectContext(coordinator: writer)
        try other.insert(Author.self).name = "A"
        #expect(try other.count(FetchRequest<Author>()) == 1)
        writer.close()
        context.coordinator.endBackgroundWrite()
        try context.insert(Author.self).name = "B"
        try context.save()
        #expect(try store.rows("SELECT id, name FROM Author") == ["1|B"])
    }

    /// Otherwise the next save of the coordinator would move the WAL into the database.
    @Test func backgroundWriterMovesLogIntoDatabaseWhenClosed() throws {
        let context = try store.context()
        let writer = try #require(try context.coordinator.beginBackgroundWrite()).open()
        let other = ManagedObjectContext(coordinator: writer)
        try other.insert(Author.self).name = "A"
        try other.save()
        try context.coordinator.merge(SavedChanges(), into: [context])
        writer.close()
        // This connection does not read the WAL.
        let connection = try SQLiteConnection(path: store.path, mode: .unchanging)
        #expect(try connection.text("SELECT name FROM Author") == "A")
        context.coordinator.endBackgroundWrite()
    }

    @Test func lockIsKeptUntilBothAreClosed() throws {
        let coordinator = try store.coordinator()
        let writer = try #require(try coordinator.beginBackgroundWrite())
        coordinator.close()
        #expect(throws: StoreError.self) { try store.coordinator() }
        withExtendedLifetime(writer) {}
    }

    @Test func onlyDatabaseAllowsBackgroundWriter() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.memory)
        #expect(try coordinator.beginBackgroundWrite() == nil)
        #expect(!coordinator.hasBackgroundWriter)
    }

    @Test func streamsBesideEachOtherReadOneState() throws {
        let context = try store.context()
        try context.insert(Author.self).name = "A"
        try context.save()
        let request = FetchRequest<Author>()
        let first = try context.stream(request, of: ["name"])
        try context.insert(Author.self).name = "B"
        try context.save()
        let second = try context.stream(request, of: [.count], beside: first)
        #expect(try second.next()?[0] == .integer(1))
        #expect(try context.stream(request, of: [.count]).next()?[0] == .integer(2))
        #expect(try first.next()?[0] == .string("A"))
        #expect(try first.next() == nil)
    }

    // MARK: - Locked by another program

    @Test func lockedStoreRefusesSavesAndKeepsChanges() throws {
        let context = try store.context()
        context.coordinator.waitForLocks(seconds: 0)
        let blocker = try SQLiteConnection(path: store.path, mode: .readWrite)
        try blocker.execute("BEGIN IMMEDIATE")
        try context.insert(Author.self).name = "A"
        try context.coordinator.batch {
            let error = #expect(throws: StoreError.self) { try context.coordinator.reserveStores() }
            #expect(error?.code == .locked)
            #expect(throws: StoreError.self) { try context.save() }
        }
        #expect(context.insertedObjects.count == 1)
        try blocker.execute("ROLLBACK")
        try context.coordinator.batch {
            try context.coordinator.reserveStores()
            #expect(throws: SQLiteError.self) { try blocker.execute("BEGIN IMMEDIATE") }
            try context.save()
        }
        #expect(try store.rows("SELECT name FROM Author") == ["A"])
    }
}
