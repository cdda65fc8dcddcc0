import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import Testing

/// The mapping of `docs/migrations.md` that is written by hand, with every kind of file.
@Suite struct HandMadeMappingTests {
    let directory = TemporaryStore()

    final class ListPolicy: EntityMigrationPolicy {
        override func createRelationships(
            for destination: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
        ) throws {
            let source = try manager.sourceObjects(of: destination, inMapping: mapping.name).first
            guard let name = try String(attributeValue: source?.value(of: "list") ?? .null) else { return }
            let lists = manager.destinationContext
            let named = FetchRequest<ManagedObject>(
                entity: "List", matching: try FetchPredicate("name == %@", name), limit: 1)
            let list = try lists.fetch(named).first ?? lists.insert(entity: "List")
            try list.setValue(.string(name), of: "name")
            try destination.setTarget(list, of: "list")
        }
    }

    private static func versions() throws -> (ManagedObjectModel, ManagedObjectModel) {
        let first = try ManagedObjectModel(
            versionIdentifiers: ["1"],
            entities: [
                EntityDescription("Item", attributes: [.string("title"), .string("list")]),
                EntityDescription("Memo", attributes: [.string("text")]),
            ])
        let second = try ManagedObjectModel(
            versionIdentifiers: ["2"],
            entities: [
                EntityDescription(
                    "Item", attributes: [.string("title"), .integer16("priority", default: 5)],
                    relationships: [.toOne("list", destination: "List", inverse: "items")]),
                EntityDescription(
                    "List", attributes: [.string("name", .required, .unique)],
                    relationships: [.toMany("items", destination: "Item", inverse: "list")]),
            ])
        return (first, second)
    }

    @Test(arguments: [StoreKind.sqlite, .postgresql, .xml, .binary]) func textBecomesObject(_ kind: StoreKind)
        throws
    {
        let (version1, version2) = try Self.versions()
        let file = directory.configuration(kind)
        try fill(file, version1)
        let mapping = MappingModel(
            from: version1, to: version2,
            [
                EntityMapping(
                    from: "Item", to: "Item", properties: [.copy("title")], policy: { ListPolicy() }),
                EntityMapping(
                    name: "Memo", from: "Memo", to: "Item", properties: [.copy("title", from: "text")]),
                EntityMapping(from: nil, to: "List"),
            ])
        let coordinator = PersistentStoreCoordinator(model: version2)
        try coordinator.addStore(
            file, migrating: StoreMigration(versions: [version1, version2], mappings: [mapping]))
        let items = FetchRequest<ManagedObject>(entity: "Item", orderedBy: [FetchOrder("title")])
        let context = ManagedObjectContext(coordinator: coordinator)
        let rows = try context.rows(items, of: ["title", "list.name", "priority"])
        #expect(
            rows.map { $0.values.map(\.description).joined(separator: " ") } == [
                "bread Shop 5", "call nil 5", "note nil 5", "rent Home 5", "salt Shop 5",
            ])
        #expect(try context.count(FetchRequest<ManagedObject>(entity: "List")) == 2)
        coordinator.close()
    }

    private func fill(_ file: StoreConfiguration, _ model: ManagedObjectModel) throws {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(file)
        let context = ManagedObjectContext(coordinator: coordinator)
        for (title, list) in [("bread", "Shop"), ("rent", "Home"), ("call", nil), ("salt", "Shop")] {
            let item = try context.insert(entity: "Item")
            try item.setValue(.string(title), of: "title")
            try item.setValue(list.attributeValue, of: "list")
        }
        try context.insert(entity: "Memo").setValue(.string("note"), of: "text")
        try context.save()
        coordinator.close()
    }
}
