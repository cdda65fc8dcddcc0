import ObjectStore
import Testing

/// New objects whose unique values another program saves while the context saves them.
@Suite struct UpsertRaceTests {
    final class Item: ManagedObject {
        @Attribute("uid") var uid: String?
        @Attribute("name") var name: String?
        @Attribute("rank") var rank: Int?

        override func validate() throws { try UpsertRaceTests.whileValidating?() }
    }

    @TaskLocal static var whileValidating: (@Sendable () throws -> Void)?

    let store = TemporaryStore()

    private func context() throws -> ManagedObjectContext {
        let model = try ManagedObjectModel(
            versionIdentifiers: ["race"],
            entities: [
                EntityDescription(
                    "Item", class: Item.self,
                    attributes: [.string("uid"), .string("name"), .integer64("rank")],
                    uniqueness: [["uid"], ["name"]])
            ])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.sqlite(path: store.path, shared: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        context.uniquenessPolicy = .newObjectWins
        return context
    }

    @Test func objectSavedByAnotherProgramDuringTheSaveIsMerged() throws {
        let context = try context()
        let first = try context.insert(Item.self)
        first.uid = "other"
        try context.save()
        let new = try context.insert(Item.self)
        new.uid = "a"
        new.rank = 2
        // The other program saves after the lookup of saved objects and before the write lock.
        nonisolated(unsafe) let store = store
        try Self.$whileValidating.withValue({
            guard try store.rows("SELECT count(*) FROM Item WHERE uid = 'a'") == ["0"] else { return }
            try store.execute(
                """
                BEGIN; INSERT INTO Item (id, uid, rank) VALUES (900, 'a', 1);
                INSERT INTO _transactions (time, writer) VALUES (0, 5);
                INSERT INTO _changes VALUES (last_insert_rowid(), 0, 'inserted', 'Item', 900, 900, NULL); COMMIT
                """)
        }) { try context.save() }
        #expect(try store.rows("SELECT id FROM Item WHERE uid = 'a' AND rank = 2") == ["900"])
    }

    @Test func authorWithNULIsKept() throws {
        let context = try context()
        context.transactionAuthor = "a\0b'\"; DROP TABLE Item;--"
        try context.insert(Item.self).uid = "a"
        try context.save()
        #expect(try context.coordinator.history().last?.author == context.transactionAuthor)
    }
}
