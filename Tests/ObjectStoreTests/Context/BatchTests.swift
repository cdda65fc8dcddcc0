import ObjectStore
import SQLiteDriver
import Testing

@Suite struct BatchTests {
    let store = TemporaryStore()

    @Test func batchCommitsOnceAndReportsSavesAfterwards() throws {
        let context = try store.context()
        var sent: [SavedChanges] = []
        let observation = context.coordinator.observeSaves { sent.append($0) }
        try context.coordinator.batch {
            for name in ["A", "B"] {
                try context.insert(Author.self).name = name
                try context.save()
                #expect(!context.hasChanges)
            }
            #expect(sent.isEmpty)
            #expect(try store.rows("SELECT * FROM Author").isEmpty)
        }
        #expect(
            sent.map(\.inserted) == [
                [ObjectID(entity: "Author", id: 1)], [ObjectID(entity: "Author", id: 2)],
            ])
        #expect(try store.rows("SELECT name FROM Author") == ["A", "B"])
        observation.cancel()
        try context.insert(Author.self).name = "C"
        try context.save()
        #expect(sent.count == 2)
    }

    @Test func failedSaveDoesNotAffectOtherSavesOfBatch() throws {
        let context = try store.context()
        try context.coordinator.batch {
            try context.insert(Author.self).name = "A"
            try context.save()
            let nameless = try context.insert(Author.self)
            #expect(throws: ValidationError.self) { try context.save() }
            try context.delete(nameless)
            try context.insert(Author.self).name = "B"
            try context.save()
            try context.insert(Author.self).name = "never saved"
            _ = try context.count(FetchRequest<Author>())
        }
        #expect(try store.rows("SELECT name FROM Author") == ["A", "B"])
        #expect(context.insertedObjects.count == 1)
    }

    @Test func largeTransactionDoesNotKeepItsPagesInMemory() throws {
        let context = try store.context()
        let kept = try #require(context.coordinator.store as? SQLiteStore)
        try context.coordinator.transaction {
            for _ in 1...30 {
                try context.insert(Author.self).name = String(repeating: "a", count: 1_000_000)
                try context.save()
                #expect(kept.connection.cacheSize < 10_000_000)
            }
        }
        #expect(try context.count(FetchRequest<Author>()) == 30)
    }

    @Test func batchTakesWriteLockAtItsFirstWrite() throws {
        let context = try store.context()
        let other = try SQLiteConnection(path: store.path, mode: .readWrite)
        try context.coordinator.batch {
            #expect(try context.count(FetchRequest<Author>()) == 0)
            try other.execute("BEGIN IMMEDIATE; COMMIT")
            try context.insert(Author.self).name = "A"
            try context.save()
            #expect(throws: SQLiteError.self) { try other.execute("BEGIN IMMEDIATE") }
        }
        #expect(try store.rows("SELECT name FROM Author") == ["A"])
    }

    /// Waiting for a lock may take long, and a batch may have many saves.
    @Test func lockedStoreIsNotRetriedInSameBatch() throws {
        let context = try store.context()
        context.coordinator.waitForLocks(seconds: 0)
        let other = try SQLiteConnection(path: store.path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        try context.insert(Author.self).name = "A"
        try context.coordinator.batch {
            let first = #expect(throws: StoreError.self) { try context.save() }
            try other.execute("ROLLBACK")
            let second = #expect(throws: StoreError.self) { try context.save() }
            #expect(first?.code == .locked && second?.code == .locked)
        }
        try context.coordinator.batch { try context.save() }
        #expect(try store.rows("SELECT name FROM Author") == ["A"])
    }

    /// Each round of a cascade follows the new rows only. Otherwise, this would take many minutes.
    @Test(.timeLimit(.minutes(2)), arguments: [TestedStore.sqlite, .memory])
    func cascadeFollowsLongChain(_ kind: TestedStore) throws {
        let link = EntityDescription(
            "Link",
            relationships: [
                .toOne("former", destination: "Link", inverse: "next"),
                .toMany("next", destination: "Link", inverse: "former", deleteRule: .cascade),
            ])
        let context = try kind.context(in: store, ManagedObjectModel(entities: [link]))
        var last: ManagedObject?
        for _ in 0..<20_000 {
            let object = try context.insert(entity: "Link")
            try object.setTarget(last, of: "former")
            last = object
        }
        try context.save()
        let isFirst = FetchRequest<ManagedObject>(
            entity: "Link", matching: try FetchPredicate("former == nil"))
        #expect(try context.deleteAll(isFirst) == 20_000)
    }
}
