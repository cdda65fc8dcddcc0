import ObjectStore
import Synchronization
import Testing

@Suite struct MigrationPolicyTests {
    private static func model(_ version: String, _ extra: [AttributeDescription]) throws -> ManagedObjectModel
    {
        try ManagedObjectModel(
            versionIdentifiers: [version],
            entities: [
                EntityDescription(
                    "Item", attributes: [.string("name", .required)] + extra,
                    relationships: [.toOne("list", destination: "List", inverse: "items")]),
                EntityDescription(
                    "List", attributes: [.string("name", .required)],
                    relationships: [.toMany("items", destination: "Item", inverse: "list")]),
            ])
    }

    private static func fill(_ store: TemporaryStore, _ names: [String]) throws {
        let context = try store.context(model("1", []))
        let list = try context.insert(entity: "List")
        try list.setValue(.string("all"), of: "name")
        for name in names {
            let item = try context.insert(entity: "Item")
            try item.setValue(.string(name), of: "name")
            try item.setTarget(list, of: "list")
        }
        try context.save()
        context.coordinator.close()
    }

    private static func migrate(
        _ store: TemporaryStore, _ edit: (inout MappingModel) -> Void
    ) throws {
        let (first, second) = (try model("1", []), try model("2", [.boolean("muted", default: false)]))
        var mapping = try MappingModel.inferred(from: first, to: second)
        edit(&mapping)
        let coordinator = PersistentStoreCoordinator(model: second)
        try coordinator.addStore(
            .sqlite(path: store.path),
            migrating: StoreMigration(versions: [first, second], mappings: [mapping]))
        coordinator.close()
    }

    final class Recorder: EntityMigrationPolicy {
        let calls: Mutex<[String]>.Reference

        init(_ calls: Mutex<[String]>.Reference) { self.calls = calls }

        private func note(_ call: String, _ mapping: EntityMapping) {
            calls.value.withLock { $0.append("\(mapping.name) \(call)") }
        }

        override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
            note("begin", mapping)
        }

        override func createDestinationInstances(
            for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
        ) throws {
            note("create", mapping)
            try super.createDestinationInstances(for: source, in: mapping, with: manager)
            let made = try manager.destinationObjects(of: source, inMapping: mapping.name)
            #expect(made.map(\.id) == [source.id])
            #expect(try manager.sourceObjects(of: made[0], inMapping: mapping.name).map(\.id) == [source.id])
        }

        override func endInstanceCreation(in mapping: EntityMapping, with manager: MigrationManager) throws {
            note("endCreation", mapping)
        }

        override func createRelationships(
            for destination: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
        ) throws {
            note("relate", mapping)
            try super.createRelationships(for: destination, in: mapping, with: manager)
        }

        override func endRelationshipCreation(in mapping: EntityMapping, with manager: MigrationManager)
            throws
        {
            note("endRelating", mapping)
        }

        override func performCustomValidation(of mapping: EntityMapping, with manager: MigrationManager)
            throws
        {
            note("validate", mapping)
        }

        override func end(_ mapping: EntityMapping, with manager: MigrationManager) throws {
            note("end", mapping)
        }
    }

    @Test func hooksAreCalledInOrder() throws {
        let store = TemporaryStore()
        try Self.fill(store, ["a"])
        let calls = Mutex<[String]>.Reference([])
        try Self.migrate(store) { mapping in
            mapping["Item"]?.policy = { Recorder(calls) }
            mapping["List"]?.policy = { Recorder(calls) }
        }
        let expected = [
            "Item begin", "Item create", "Item endCreation", "List begin", "List create", "List endCreation",
            "Item relate", "Item endRelating", "List relate", "List endRelating",
            "Item validate", "Item end", "List validate", "List end",
        ]
        #expect(calls.value.withLock { $0 } == expected)
        #expect(try store.rows("SELECT name, list, muted FROM Item") == ["a|1|0"])
    }

    final class MutePolicy: EntityMigrationPolicy {
        override func createDestinationInstances(
            for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
        ) throws {
            let item = try manager.createDestinationInstance(for: source, in: mapping)
            if case .string(let name) = try source.value(of: "name"), name.hasPrefix("x") {
                try item.setValue(.boolean(true), of: "muted")
            }
        }
    }

    @Test func policyChangesValuesInManyBatches() throws {
        let store = TemporaryStore()
        let names = (0..<1_203).map { $0 % 2 == 0 ? "x\($0)" : "y\($0)" }
        try Self.fill(store, names)
        try Self.migrate(store) { $0["Item"]?.policy = { MutePolicy() } }
        #expect(
            try store.rows("SELECT muted, count(*), count(list) FROM Item GROUP BY 1") == [
                "0|601|601", "1|602|602",
            ])
        #expect(try store.rows("SELECT name FROM Item ORDER BY id") == names)
    }

    /// Makes two of each object, and none of objects with the name "skip".
    final class SplittingPolicy: EntityMigrationPolicy {
        override func createDestinationInstances(
            for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
        ) throws {
            guard try source.value(of: "name") != .string("skip") else { return }
            _ = try manager.createDestinationInstance(for: source, in: mapping)
            let copy = try manager.destinationContext.insert(entity: "Item")
            try copy.setValue(.string("copy"), of: "name")
            try manager.associate(source, with: copy, in: mapping)
        }
    }

    @Test func policyMakesSeveralOrNone() throws {
        let store = TemporaryStore()
        try Self.fill(store, ["a", "skip", "b"])
        try Self.migrate(store) { $0["Item"]?.policy = { SplittingPolicy() } }
        #expect(
            try store.rows("SELECT id, name, list FROM Item ORDER BY id") == [
                "1|a|1", "3|b|1", "4|copy|1", "5|copy|1",
            ])
    }

    /// Leaves relationships to the property mappings.
    final class PlainPolicy: EntityMigrationPolicy {
        override var createsRelationships: Bool { false }

        override func createRelationships(
            for destination: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
        ) throws {
            throw Refusal()
        }
    }

    /// If the objects at the other end have a policy too, their ids are unknown until all of them are made.
    @Test(arguments: [false, true]) func relationshipsNeedNoHook(hasPolicyAtBothEnds: Bool) throws {
        let store = TemporaryStore()
        try Self.fill(store, ["a", "b"])
        try Self.migrate(store) { mapping in
            mapping["Item"]?.policy = { PlainPolicy() }
            if hasPolicyAtBothEnds { mapping["List"]?.policy = { PlainPolicy() } }
        }
        #expect(try store.rows("SELECT name, list FROM Item ORDER BY id") == ["a|1", "b|1"])
    }

    struct Refusal: Error {}

    final class ThrowingPolicy: EntityMigrationPolicy {
        override func performCustomValidation(of mapping: EntityMapping, with manager: MigrationManager)
            throws
        {
            throw Refusal()
        }
    }

    @Test func policyThatThrowsLeavesTheStoreAsItWas() throws {
        let store = TemporaryStore()
        try Self.fill(store, ["a"])
        let before = try store.contents()
        #expect(throws: Refusal.self) {
            try Self.migrate(store) { $0["Item"]?.policy = { ThrowingPolicy() } }
        }
        #expect(try store.contents() == before)
        #expect(try store.files().filter { $0.contains("migrating") } == [])
        try Self.migrate(store) { _ in }
        #expect(try store.rows("SELECT muted FROM Item") == ["0"])
    }
}

extension Mutex where Value: Sendable {
    /// A mutex that several closures share.
    final class Reference: Sendable {
        let value: Mutex<Value>

        init(_ value: Value) { self.value = Mutex(value) }
    }
}
