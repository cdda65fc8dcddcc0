import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestSupport
import Testing

/// Migrations between versions that differ only in the exchanged names of properties or entities.
@Suite struct ExchangedNamesTests {
    let directory = TemporaryStore()

    static let kinds: [StoreKind] = [.sqlite, .postgresql, .xml, .binary]

    private static func model(
        _ version: String, isExchanged: Bool, hasNote: Bool = false
    ) throws -> ManagedObjectModel {
        let former = { (name: String) in isExchanged ? name : nil }
        return try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [
                EntityDescription(
                    "Person",
                    attributes: [
                        .string("first", renamedFrom: former("last")),
                        .string("last", renamedFrom: former("first")),
                    ] + (hasNote ? [.string("note")] : []),
                    relationships: [
                        .toOne(
                            "home", destination: "Place", inverse: "residents", renamedFrom: former("office")),
                        .toOne(
                            "office", destination: "Place", inverse: "workers", renamedFrom: former("home")),
                    ]),
                EntityDescription(
                    "Place", attributes: [.string("name")],
                    relationships: [
                        .toMany(
                            "residents", destination: "Person", inverse: "home",
                            renamedFrom: former("workers")),
                        .toMany(
                            "workers", destination: "Person", inverse: "office",
                            renamedFrom: former("residents")),
                    ]),
                EntityDescription("Cat", attributes: [.string("name")], renamedFrom: former("Dog")),
                EntityDescription("Dog", attributes: [.string("name")], renamedFrom: former("Cat")),
            ])
    }

    private func fill(_ store: StoreConfiguration, _ model: ManagedObjectModel) throws {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        defer { coordinator.close() }
        let context = ManagedObjectContext(coordinator: coordinator)
        let person = try context.insert(entity: "Person")
        for name in ["first", "last"] { try person.setValue(.string(name), of: name) }
        for name in ["home", "office"] {
            let place = try context.insert(entity: "Place")
            try place.setValue(.string(name), of: "name")
            try person.setTarget(place, of: name)
        }
        for name in ["Cat", "Dog"] {
            try context.insert(entity: name).setValue(.string(name), of: "name")
        }
        try context.save()
    }

    @Test(arguments: kinds) func exchangedNamesAreMigrated(_ kind: StoreKind) throws {
        let store = directory.configuration(kind)
        let (first, second) = (
            try Self.model("1", isExchanged: false), try Self.model("2", isExchanged: true)
        )
        try fill(store, first)
        #expect(throws: StoreError.self) { try PersistentStoreCoordinator(model: second).addStore(store) }
        let coordinator = PersistentStoreCoordinator(model: second)
        defer { coordinator.close() }
        #expect(try coordinator.addStore(store, migrating: StoreMigration(versions: [first, second])) != nil)
        try requireExchangedValues(coordinator)
    }

    /// Migrates through three versions at once, of which the last keeps the former names or drops them.
    @Test(arguments: kinds, [true, false])
    func exchangedNamesAreMigratedOnce(_ kind: StoreKind, keepsNames: Bool) throws {
        let store = directory.configuration(kind)
        let versions = [
            try Self.model("1", isExchanged: false), try Self.model("2", isExchanged: true),
            try Self.model("3", isExchanged: keepsNames, hasNote: true),
        ]
        try fill(store, versions[0])
        let coordinator = PersistentStoreCoordinator(model: versions[2])
        defer { coordinator.close() }
        let report = try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        #expect(report?.steps.count == 2)
        try requireExchangedValues(coordinator)
    }

    private func requireExchangedValues(_ coordinator: PersistentStoreCoordinator) throws {
        let context = ManagedObjectContext(coordinator: coordinator)
        let person = try context.rows(
            FetchRequest<ManagedObject>(entity: "Person"), of: ["first", "last", "home.name", "office.name"])
        #expect(Array(person[0].values) == ["last", "first", "office", "home"].map { .string($0) })
        for (name, former) in [("Cat", "Dog"), ("Dog", "Cat")] {
            let rows = try context.rows(FetchRequest<ManagedObject>(entity: name), of: ["name"])
            #expect(rows[0].values == [.string(former)])
        }
    }
}
