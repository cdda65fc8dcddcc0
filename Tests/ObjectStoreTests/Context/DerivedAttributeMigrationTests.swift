import ObjectStore
import ObjectStoreXML
import Testing

/// Migrations of derived attributes.
@Suite struct DerivedAttributeMigrationTests {
    let directory = TemporaryStore()

    private static func version(
        _ version: String, _ expression: String?, _ more: [AttributeDescription] = []
    ) throws -> ManagedObjectModel {
        let key = expression.map { [AttributeDescription.string("key", .required).derived(from: $0)] } ?? []
        return try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [EntityDescription("Item", attributes: [.string("name", .required)] + key + more)])
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func migrationComputesNewAndChangedExpressions(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = [
            try Self.version("1", nil), try Self.version("2", "lowercase(name)"),
            try Self.version("3", "uppercase(name)"),
            try Self.version("4", "uppercase(name)", [.string("note")]),
        ]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        for name in ["Emma", "Persuasion"] {
            try writer.insert(entity: "Item").setValue(.string(name), of: "name")
        }
        try writer.save()
        old.close()
        let expected = [["emma", "persuasion"], ["EMMA", "PERSUASION"], ["EMMA", "PERSUASION"]]
        for (position, keys) in expected.enumerated() {
            let model = versions[position + 1]
            let coordinator = PersistentStoreCoordinator(model: model)
            let report = try coordinator.addStore(
                store, migrating: StoreMigration(versions: Array(versions[...(position + 1)])))
            let isCopied = kind != .sqlite || position < 2
            #expect((report?.steps.first?.reasonToCopy != nil) == isCopied)
            let context = ManagedObjectContext(coordinator: coordinator)
            let found = try context.rows(
                FetchRequest<ManagedObject>(entity: "Item", orderedBy: [FetchOrder("id")]), of: ["key"])
            #expect(found.map { $0[0] } == keys.map { .string($0) })
            coordinator.close()
        }
    }

    @Test(arguments: [StoreKind.sqlite, .xml])
    func migrationFollowsChangedDefault(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = try ["old", "new"].map { value in
            try ManagedObjectModel(
                versionIdentifiers: [value],
                entities: [
                    EntityDescription(
                        "Item",
                        attributes: [
                            .string("name"), .string("key", default: value).derived(from: "lowercase(name)"),
                        ])
                ])
        }
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        _ = try writer.insert(entity: "Item")
        try writer.insert(entity: "Item").setValue(.string("A"), of: "name")
        try writer.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let rows = try ManagedObjectContext(coordinator: coordinator).rows(
            FetchRequest<ManagedObject>(entity: "Item", orderedBy: [FetchOrder("id")]), of: ["key"])
        #expect(rows.map { $0[0] } == [.string("new"), .string("a")])
    }

    @Test(arguments: [StoreKind.sqlite, .xml])
    func migrationFollowsExchangedNames(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let key = AttributeDescription.string("key").derived(from: "lowercase(a)")
        let versions = try [[nil, nil], ["b", "a"]].enumerated().map { number, formerNames in
            try ManagedObjectModel(
                versionIdentifiers: ["\(number)"],
                entities: [
                    EntityDescription(
                        "Item",
                        attributes: [
                            .string("a", renamedFrom: formerNames[0]),
                            .string("b", renamedFrom: formerNames[1]),
                            key,
                        ] + (number == 0 ? [] : [.string("note")]))
                ])
        }
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        let item = try writer.insert(entity: "Item")
        try item.setValue(.string("A"), of: "a")
        try item.setValue(.string("B"), of: "b")
        try writer.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let rows = try ManagedObjectContext(coordinator: coordinator).rows(
            FetchRequest<ManagedObject>(entity: "Item"), of: ["a", "b", "key"])
        #expect(Array(rows[0].values) == [.string("B"), .string("A"), .string("b")])
    }
}
