import ObjectStore
import Testing

// The code of docs/migrations.md and docs/predicates.md. `DocumentationTests` requires every line of code of these pages here.

@Suite struct GuidesExample {
    private let temporary = TemporaryStore()

    private func model(_ version: String, _ entities: EntityDescription...) throws -> ManagedObjectModel {
        try ManagedObjectModel(versionIdentifiers: [version], entities: entities)
    }

    /// Makes a store of the first model with one object, and returns it in a store that was migrated by the mappings.
    private func migrated(
        _ entity: String, _ values: [String: AttributeValue], from version1: ManagedObjectModel,
        by mappings: [MappingModel], to version2: ManagedObjectModel
    ) throws -> ManagedObjectContext {
        let old = PersistentStoreCoordinator(model: version1)
        try old.addStore(.sqlite(path: temporary.path))
        let context = ManagedObjectContext(coordinator: old)
        let object = try context.insert(entity: entity)
        for (name, value) in values { try object.setValue(value, of: name) }
        try context.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: version2)
        let migration = StoreMigration(versions: [version1, version2], mappings: mappings)
        try coordinator.addStore(.sqlite(path: temporary.path), migrating: migration)
        return ManagedObjectContext(coordinator: coordinator)
    }

    private func only(_ entity: String, _ context: ManagedObjectContext) throws -> ManagedObject {
        let objects = try context.fetch(FetchRequest<ManagedObject>(entity: entity))
        #expect(objects.count == 1)
        return try #require(objects.first)
    }

    // MARK: - Migrations

    @Test func storeIsMigrated() throws {
        let version1 = try model("1", EntityDescription("Item", attributes: [.string("a")]))
        let version2 = try model("2", EntityDescription("Item", attributes: [.string("a"), .string("b")]))
        let version3 = try model("3", EntityDescription("Item", attributes: [.string("b")]))
        let path = temporary.path
        let old = PersistentStoreCoordinator(model: version1)
        try old.addStore(.sqlite(path: path))
        old.close()
        let coordinator = PersistentStoreCoordinator(model: version3)
        let migration = StoreMigration(versions: [version1, version2, version3])
        let report = try coordinator.addStore(.sqlite(path: path), migrating: migration)
        #expect(report?.steps.count == 2)
    }

    @Test func propertiesAreGiven() throws {
        let version1 = try model(
            "1", EntityDescription("Item", attributes: [.integer16("urgency", default: 0)]))
        let version2 = try model(
            "2",
            EntityDescription(
                "Item",
                attributes: [
                    .string("uid", .required, .unique), .date("created", .required),
                    .integer16("priority", default: 0),
                ]))
        let mapping = try MappingModel.inferred(
            from: version1, to: version2,
            given: [
                "Item": [
                    .newUUID("uid"),
                    .migrationDate("created"),
                    .computed("priority", try .init(format: "10 - urgency"), whenNil: .integer(0)),
                ]
            ])
        let context = try migrated(
            "Item", ["urgency": .integer(3)], from: version1, by: [mapping], to: version2)
        #expect(try only("Item", context).value(of: "priority") == .integer(7))
    }

    @Test func policyChangesObjects() throws {
        final class MutePolicy: EntityMigrationPolicy {
            private let isMuted: FetchPredicate

            init(_ isMuted: FetchPredicate) {
                self.isMuted = isMuted
            }

            override var createsRelationships: Bool { false }

            override func createDestinationInstances(
                for source: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
            ) throws {
                let item = try manager.createDestinationInstance(for: source, in: mapping)
                if try isMuted.matches(source) { try item.setValue(.boolean(true), of: "doNotAlert") }
            }
        }

        let version1 = try model("1", EntityDescription("ToDo", attributes: [.string("name")]))
        let version2 = try model(
            "2",
            EntityDescription(
                "ToDo", attributes: [.string("name"), .boolean("doNotAlert", default: false)]))
        let isMuted = try FetchPredicate("name BEGINSWITH[c] 'later'")
        var mapping = try MappingModel.inferred(from: version1, to: version2)
        mapping["ToDo"]?.policy = { MutePolicy(isMuted) }
        let context = try migrated(
            "ToDo", ["name": .string("Later: paint")], from: version1, by: [mapping], to: version2)
        #expect(try only("ToDo", context).value(of: "doNotAlert") == .boolean(true))
    }

    @Test func mappingIsWrittenByHand() throws {
        final class ListPolicy: EntityMigrationPolicy {
            override func createRelationships(
                for destination: ManagedObject, in mapping: EntityMapping, with manager: MigrationManager
            ) throws {
                let source = try manager.sourceObjects(of: destination, inMapping: mapping.name).first
                guard let name = try String(attributeValue: source?.value(of: "list") ?? .null) else {
                    return
                }
                let lists = manager.destinationContext
                let named = FetchRequest<ManagedObject>(
                    entity: "List", matching: try FetchPredicate("name == %@", name), limit: 1)
                let list = try lists.fetch(named).first ?? lists.insert(entity: "List")
                try list.setValue(.string(name), of: "name")
                try destination.setTarget(list, of: "list")
            }
        }

        let version1 = try model(
            "1", EntityDescription("Item", attributes: [.string("title"), .string("list")]),
            EntityDescription("Memo", attributes: [.string("text")]))
        let version2 = try model(
            "2",
            EntityDescription(
                "Item", attributes: [.string("title")],
                relationships: [.toOne("list", destination: "List", inverse: "items")]),
            EntityDescription(
                "List", attributes: [.string("name")],
                relationships: [.toMany("items", destination: "Item", inverse: "list")]))
        let mapping = MappingModel(
            from: version1, to: version2,
            [
                EntityMapping(
                    from: "Item", to: "Item", properties: [.copy("title")], policy: { ListPolicy() }),
                EntityMapping(
                    name: "Memo", from: "Memo", to: "Item", properties: [.copy("title", from: "text")]),
                EntityMapping(from: nil, to: "List"),
            ])
        let context = try migrated(
            "Item", ["title": .string("paint"), "list": .string("Home")], from: version1, by: [mapping],
            to: version2)
        #expect(try only("Item", context).target(of: "list")?.value(of: "name") == .string("Home"))
        #expect(try only("List", context).value(of: "name") == .string("Home"))
    }

    // MARK: - Predicates

    final class ToDo: ManagedObject {
        @Attribute var name: String = ""
        @Attribute var completed: Bool = false
        @Attribute var dueDate: Timestamp?
    }

    @Test func formatHasVariablesAndArguments() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(ToDo.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let rent = try context.insert(ToDo.self)
        (rent.name, rent.dueDate) = ("Pay the rent", Timestamp(secondsSince1970: 10))
        let now = Timestamp(secondsSince1970: 20)
        let predicate = try FetchPredicate(
            "completed == NO AND dueDate <= $now AND name BEGINSWITH[cd] %@", "pay")
        let due = try context.fetch(FetchRequest<ToDo>(matching: predicate.binding(["now": .date(now)])))
        #expect(due == [rent])
    }

    @Test func predicatesHaveKeysAndExpressions() throws {
        let context = try Shelf().context
        let long = Book.where { $0.pages > 400 && $0.title.begins(with: "e", options: .caseInsensitive) }
        let others = Book.where { $0.publisher.name != "Murray" || $0.authors.any.born > 1900 }
        let books = Publisher.where { $0.books.count > 3 && $0.books.max(\.pages) < 500 }
        #expect(try context.fetch(long).map(\.title) == ["Emma"])
        let titles = try context.fetch(others.ordered(by: \.id)).map(\.title)
        #expect(titles == ["Mansfield Park"])
        #expect(try context.count(books) == 0)
        let quick = FetchPredicate(.key("pages"), .less, .value(.integer(100)))
        let quiet = FetchPredicate(.key("title"), .contains, .variable("word"), options: .caseInsensitive)
        let both = FetchRequest<Book>(matching: quick && quiet.binding(["word": .string("MM")]))
        #expect(try context.fetch(both).map(\.title) == ["emma"])
    }

    @Test func valuesAreTested() throws {
        let isLong = try ValuePredicate(
            FetchPredicate("pages > 400 AND title CONTAINS[c] %@", "emma"),
            of: [.integer64("pages"), .string("title")])
        let answer = try isLong.matches(["title": "Emma", "pages": 474])  // true
        #expect(answer)
    }
}
