import ObjectStore
import ObjectStoreXML
import TestSupport
import Testing

/// Checks and migrations of attributes that are derived from related objects.
@Suite struct RelatedDerivationMigrationTests: PoetSuite {
    let directory = TemporaryStore()

    @Test func checkReportsWrongValue() throws {
        let context = try context(.sqlite)
        let keats = try poet("Keats", context)
        try poem("Ode", lines: 1, keats, context)
        try context.save()
        let store = StoreConfiguration(.sqlite, path: TestedStore.sqlite.path(in: directory))
        #expect(try StoreBackup.problems(of: store, model: Poets.model()) == [])
        try context.executeSQL("UPDATE \"Poem\" SET \"lines\" = 2, \"score\" = 4")
        #expect(
            try StoreBackup.problems(of: store, model: Poets.model())
                == ["lineSum", "longest", "average", "scoreSum"].map {
                    "Poet 1: \($0) differs from its expression"
                })
        context.coordinator.close()
        #expect(try StoreBackup.problems(of: store, model: Poets.model()).count == 4)
    }

    private static func version(
        _ version: String, _ expression: String?, _ more: [AttributeDescription] = []
    ) throws -> ManagedObjectModel {
        let sum = expression.map { [AttributeDescription.integer64("sum").derived(from: $0)] } ?? []
        return try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [
                EntityDescription(
                    "A", attributes: sum,
                    relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
                EntityDescription(
                    "B", attributes: [.integer64("n")] + more,
                    relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
            ])
    }

    @Test(arguments: [StoreKind.sqlite, .xml, .binary])
    func migrationComputesNewAndChangedExpressions(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = [
            try Self.version("1", nil), try Self.version("2", "parts.@sum.n"),
            try Self.version("3", "parts.@count"), try Self.version("4", "parts.@count", [.string("note")]),
        ]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        let whole = try writer.insert(entity: "A")
        for number: Int64 in 1...3 {
            let part = try writer.insert(entity: "B")
            try part.setValue(.integer(number), of: "n")
            try whole.objects(of: "parts").insert(part)
        }
        try writer.save()
        old.close()
        for (position, value) in [6, 3, 3].enumerated() as EnumeratedSequence<[Int64]> {
            let model = versions[position + 1]
            let coordinator = PersistentStoreCoordinator(model: model)
            let report = try coordinator.addStore(
                store, migrating: StoreMigration(versions: Array(versions[...(position + 1)])))
            let isCopied = kind != .sqlite || position < 2
            #expect((report?.steps.first?.reasonToCopy != nil) == isCopied)
            let context = ManagedObjectContext(coordinator: coordinator)
            let found = try context.rows(FetchRequest<ManagedObject>(entity: "A"), of: ["sum"])
            #expect(found.map { $0[0] } == [.integer(value)], "version \(position + 2)")
            coordinator.close()
        }
    }

    @Test func checkAndMigrationReachIDsBelowOne() throws {
        let store = StoreConfiguration(.sqlite, path: "\(directory.directory)/items")
        let versions = [try Self.version("1", nil), try Self.version("2", "parts.@count")]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        for id in [Int64.min, -7, 0] {
            try writer.executeSQL("INSERT INTO A (id) VALUES (\(id))")
            try writer.executeSQL("INSERT INTO B (n, whole) VALUES (\(1), \(id))")
        }
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let context = ManagedObjectContext(coordinator: coordinator)
        let sums = try context.rows(FetchRequest<ManagedObject>(entity: "A"), of: ["sum"])
        #expect(sums.map { $0[0] } == [.integer(1), .integer(1), .integer(1)])
        #expect(try StoreBackup.problems(of: store, model: versions[1]) == [])
        try context.executeSQL("UPDATE A SET sum = 5")
        #expect(
            try StoreBackup.problems(of: store, model: versions[1])
                == [Int64.min, -7, 0].map { "A \($0): sum differs from its expression" })
    }

    @Test(arguments: [StoreKind.sqlite, .xml])
    func migrationFollowsChangedInput(_ kind: StoreKind) throws {
        let store = StoreConfiguration(kind, path: "\(directory.directory)/items")
        let versions = try [["n", "m"], ["m", "n"]].enumerated().map { number, names in
            try ManagedObjectModel(
                versionIdentifiers: ["\(number)"],
                entities: [
                    EntityDescription(
                        "A", attributes: [.integer64("sum").derived(from: "parts.@sum.n")],
                        relationships: [.toMany("parts", destination: "B", inverse: "whole")]),
                    EntityDescription(
                        "B",
                        attributes: [
                            .integer64(names[0], renamedFrom: number == 0 ? nil : "n"),
                            .integer64(names[1], renamedFrom: number == 0 ? nil : "m"),
                        ] + (number == 0 ? [] : [.string("note")]),
                        relationships: [.toOne("whole", destination: "A", inverse: "parts")]),
                ])
        }
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        let (whole, part) = (try writer.insert(entity: "A"), try writer.insert(entity: "B"))
        try part.setValue(.integer(1), of: "n")
        try part.setValue(.integer(2), of: "m")
        try whole.objects(of: "parts").insert(part)
        try writer.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: versions[1])
        try coordinator.addStore(store, migrating: StoreMigration(versions: versions))
        let rows = try ManagedObjectContext(coordinator: coordinator).rows(
            FetchRequest<ManagedObject>(entity: "A"), of: ["sum"])
        #expect(rows.map { $0[0] } == [.integer(2)])
    }
}
