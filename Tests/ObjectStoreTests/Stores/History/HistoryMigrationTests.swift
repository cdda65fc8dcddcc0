import ObjectStore
import Testing

/// The history of a store survives a migration, which is a transaction of its own.
@Suite struct HistoryMigrationTests {
    let store = TemporaryStore()

    private static func model(_ version: String, _ attributes: [AttributeDescription]) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [EntityDescription("Item", attributes: [.string("name", .required)] + attributes)])
    }

    /// A migration by SQL statements changes the store in place. One by objects builds a new file.
    @Test(arguments: [false, true]) func historySurvivesMigration(_ copiesObjects: Bool) throws {
        let versions = [try Self.model("1", []), try Self.model("2", [.string("note")])]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(.sqlite(path: store.path, history: true))
        let context = ManagedObjectContext(coordinator: old)
        context.transactionAuthor = "old"
        let item = try context.insert(entity: "Item")
        try item.setValue(.string("a"), of: "name")
        try context.save()
        let token = try old.lastHistoryToken()
        let before = try old.history()
        old.close()

        var mappings: [MappingModel] = []
        if copiesObjects {
            var mapping = try MappingModel.inferred(from: versions[0], to: versions[1])
            mapping["Item"]?.policy = { EntityMigrationPolicy() }
            mappings = [mapping]
        }
        let new = PersistentStoreCoordinator(model: versions[1])
        let report = try new.addStore(
            .sqlite(path: store.path, history: true),
            migrating: StoreMigration(versions: versions, mappings: mappings))
        #expect(report?.steps.map { $0.reasonToCopy != nil } == [copiesObjects])
        let after = try new.history()
        #expect(after.dropLast() == before[...])
        #expect(after.last?.isMigration == true)
        #expect(after.last?.changes == [])
        #expect(try new.history(after: token).map(\.number) == [2])
        let later = ManagedObjectContext(coordinator: new)
        try #require(try later.object(ObjectID(entity: "Item", id: 1))).setValue(.string("b"), of: "note")
        try later.save()
        #expect(try new.history(after: token).last?.changes.map(\.properties) == [["note"]])
    }

    @Test func migrationOfStoreWithoutHistoryMakesNone() throws {
        let versions = [try Self.model("1", []), try Self.model("2", [.string("note")])]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(.sqlite(path: store.path))
        old.close()
        let new = PersistentStoreCoordinator(model: versions[1])
        try new.addStore(.sqlite(path: store.path), migrating: StoreMigration(versions: versions))
        #expect(throws: StoreError.self) { try new.history() }
    }
}
