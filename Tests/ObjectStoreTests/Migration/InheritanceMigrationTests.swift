import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestSupport
import Testing

/// Migrations of models whose entities inherit from others, in place and by copying the objects.
@Suite struct InheritanceMigrationTests {
    let directory = TemporaryStore()

    static let kinds: [StoreKind] = [.sqlite, .postgresql, .xml, .binary]

    private static let list = EntityDescription(
        "List", attributes: [.string("name")],
        relationships: [.toMany("items", destination: "Item", inverse: "list")])

    private static func item(
        _ attributes: [AttributeDescription] = [], isAbstract: Bool = false
    ) -> EntityDescription {
        EntityDescription(
            "Item", attributes: [.string("title", .required)] + attributes,
            relationships: [.toOne("list", destination: "List", inverse: "items")], isAbstract: isAbstract)
    }

    private static func task(
        _ name: String = "Task", parent: String? = "Item", _ attributes: [AttributeDescription] = [],
        renamedFrom: String? = nil
    ) -> EntityDescription {
        EntityDescription(
            name, attributes: [.integer64("rank", default: 1)] + attributes, renamedFrom: renamedFrom,
            parent: parent)
    }

    private static func note(parent: String? = "Item") -> EntityDescription {
        EntityDescription("Note", attributes: [.string("text")], parent: parent)
    }

    private static func model(_ version: String, _ entities: EntityDescription...) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel(versionIdentifiers: [version], entities: entities + [list])
    }

    private static func first() throws -> ManagedObjectModel { try model("1", item(), task(), note()) }

    private func store(_ kind: StoreKind) -> StoreConfiguration {
        directory.configuration(kind)
    }

    /// Makes a store of the first model: an item, two tasks and a note, of which a task and the note are in a list.
    private func fill(_ kind: StoreKind, _ model: ManagedObjectModel) throws {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store(kind))
        let context = ManagedObjectContext(coordinator: coordinator)
        let list = try context.insert(entity: "List")
        for (title, entity) in [("a", "Item"), ("b", "Task"), ("c", "Note"), ("d", "Task")] {
            let item = try context.insert(entity: entity)
            try item.setValue(.string(title), of: "title")
            if title > "b" { try item.setTarget(list, of: "list") }
        }
        try context.save()
        coordinator.close()
    }

    private func migrate(
        _ kind: StoreKind, from first: ManagedObjectModel, to second: ManagedObjectModel,
        mappings: [MappingModel] = []
    ) throws -> (ManagedObjectContext, MigrationReport) {
        let coordinator = PersistentStoreCoordinator(model: second)
        let report = try coordinator.addStore(
            store(kind), migrating: StoreMigration(versions: [first, second], mappings: mappings))
        return (ManagedObjectContext(coordinator: coordinator), try #require(report))
    }

    /// Returns the items in the order of their titles, with their entities and some values.
    private static func items(_ context: ManagedObjectContext, _ keys: String...) throws -> [String] {
        try context.fetch(FetchRequest<ManagedObject>(entity: "Item", orderedBy: [FetchOrder("title")])).map {
            item in
            let values = try keys.map { key in
                item.entity.property(named: key) == nil ? "-" : "\(try item.value(of: key))"
            }
            let list = try item.target(of: "list").map { " in \($0.id)" } ?? ""
            return ([item.entity.name] + values).joined(separator: " ") + list
        }
    }

    @Test(arguments: kinds) func newAttributesOfSubentityGetTheirDefaults(_ kind: StoreKind) throws {
        let first = try Self.first()
        try fill(kind, first)
        let second = try Self.model(
            "2", Self.item([.boolean("done", default: false)]),
            Self.task("Task", [.string("state", default: "open")]),
            Self.note())
        let (context, report) = try migrate(kind, from: first, to: second)
        if kind == .sqlite { #expect(report.steps.map(\.reasonToCopy) == [nil]) }
        #expect(
            try Self.items(context, "done", "state", "rank") == [
                "Item false - -", "Task false open 1", "Note false - - in 1", "Task false open 1 in 1",
            ])
    }

    @Test(arguments: kinds) func renamedSubentityKeepsObjects(_ kind: StoreKind) throws {
        let first = try Self.first()
        try fill(kind, first)
        let second = try Self.model("2", Self.item(), Self.task("Job", renamedFrom: "Task"), Self.note())
        let (context, report) = try migrate(kind, from: first, to: second)
        if kind == .sqlite { #expect(report.steps.map(\.reasonToCopy) == [nil]) }
        #expect(try Self.items(context, "rank") == ["Item -", "Job 1", "Note - in 1", "Job 1 in 1"])
    }

    @Test(arguments: kinds) func removedSubentityLosesItsObjects(_ kind: StoreKind) throws {
        let first = try Self.first()
        try fill(kind, first)
        let second = try Self.model("2", Self.item(), Self.note())
        let (context, _) = try migrate(kind, from: first, to: second)
        #expect(try Self.items(context, "text") == ["Item -", "Note nil in 1"])
        #expect(try context.insert(entity: "Item").id == 5)
    }

    @Test(arguments: kinds) func entitiesJoinHierarchy(_ kind: StoreKind) throws {
        let first = try Self.model(
            "1", Self.item(), Self.task(parent: nil, [.string("title"), .string("owner", default: "me")]),
            EntityDescription("Note", attributes: [.string("title"), .string("text")]))
        let coordinator = PersistentStoreCoordinator(model: first)
        try coordinator.addStore(store(kind))
        let old = ManagedObjectContext(coordinator: coordinator)
        let list = try old.insert(entity: "List")
        for (title, entity) in [("a", "Item"), ("b", "Task"), ("c", "Item")] {
            let item = try old.insert(entity: entity)
            try item.setValue(.string(title), of: "title")
            if title == "c" { try item.setTarget(list, of: "list") }
        }
        try old.save()
        coordinator.close()
        let second = try Self.model(
            "2", Self.item(), Self.task("Task", [.string("owner", .required)]), Self.note())
        let error = try #require(throws: MappingError.self) {
            try MappingModel.inferred(
                from: Self.model("1", Self.item(), Self.task(parent: nil), Self.note(parent: nil)), to: second
            )
        }
        #expect(error.problems.map { "\($0.entity).\($0.property ?? "")" }.contains("Task.owner"))
        let third = try Self.model(
            "2", Self.item(), Self.task("Task", [.string("owner", default: "you")]), Self.note())
        let mapping = try MappingModel.inferred(
            from: first, to: third, given: ["Item": [.copy("title", whenNil: .string("none"))]])
        #expect(
            mapping.entityMappings.map(\.name).sorted() == [
                "Item from Item", "Item from Note", "Item from Task", "List",
            ])
        let (context, _) = try migrate(kind, from: first, to: third, mappings: [mapping])
        #expect(try Self.items(context, "owner") == ["Item -", "Task me", "Item - in 1"])
    }

    @Test(arguments: kinds) func entityLeavesHierarchy(_ kind: StoreKind) throws {
        let first = try Self.first()
        try fill(kind, first)
        let second = try Self.model(
            "2", Self.item(), Self.task(parent: nil, [.string("title")]), Self.note())
        let (context, _) = try migrate(kind, from: first, to: second)
        #expect(try Self.items(context, "text") == ["Item -", "Note nil in 1"])
        let tasks = try context.fetch(
            FetchRequest<ManagedObject>(entity: "Task", orderedBy: [FetchOrder("title")]))
        #expect(try tasks.map { try $0.value(of: "title") } == [.string("b"), .string("d")])
    }

    @Test(arguments: kinds) func handMadeMappingNamesSubentities(_ kind: StoreKind) throws {
        let first = try Self.first()
        try fill(kind, first)
        let second = try Self.model("2", Self.item(isAbstract: true), Self.task(), Self.note())
        let error = try #require(throws: MappingError.self) {
            try MappingModel.inferred(from: first, to: second)
        }
        #expect(error.problems.map(\.entity) == ["Item"])
        let mapping = MappingModel(
            from: first, to: second,
            [
                EntityMapping(
                    name: "items", from: "Item", to: "Note", where: try FetchPredicate("entity != 'Task'"),
                    properties: [
                        .copy("title"),
                        .computed("text", try .init(format: "TERNARY(text == nil, 'old', text)")),
                    ]),
                EntityMapping(
                    from: "Task", to: "Task", properties: [.copy("title"), .copy("rank"), .objects("list")]),
                EntityMapping(from: "List", to: "List", properties: [.copy("name")]),
            ])
        let (context, _) = try migrate(kind, from: first, to: second, mappings: [mapping])
        #expect(
            try Self.items(context, "text", "rank") == [
                "Note old -", "Task - 1", "Note old -", "Task - 1 in 1",
            ])
    }

    @Test func requiredAttributeOfSubentityNeedsDefault() throws {
        let first = try Self.first()
        let second = try Self.model(
            "2", Self.item(), Self.task("Task", [.string("state", .required)]), Self.note())
        let error = try #require(throws: MappingError.self) {
            try MappingModel.inferred(from: first, to: second)
        }
        #expect(
            error.problems.map(\.description) == [
                "Task.state: is new and required but has no default; give it one, or a value in a mapping model"
            ])
        // An entity that is new has no objects that need a value.
        let third = try Self.model(
            "3", Self.item(), Self.task(), Self.note(),
            EntityDescription("Call", attributes: [.string("number", .required)], parent: "Item"))
        _ = try MappingModel.inferred(from: first, to: third)
    }
}
