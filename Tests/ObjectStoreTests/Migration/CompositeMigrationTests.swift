import ObjectStore
import ObjectStorePostgreSQL
import ObjectStoreXML
import TestSupport
import Testing

/// Migrations of composite attributes, whose mapping is inferred.
@Suite struct CompositeMigrationTests {
    let directory = TemporaryStore()

    static let kinds: [StoreKind] = [.sqlite, .postgresql, .xml, .binary]

    struct Address: CompositeAttribute, Equatable {
        var street = ""
        var city: String?

        static var partRules: [CompositePart<Self>] { [.part(\.city, renamedFrom: "town")] }
    }

    final class Person: ManagedObject {
        @Composite(renamedFrom: "address") var home: Address
    }

    private static func model(_ version: String, _ attributes: AttributeDescription...) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel(
            versionIdentifiers: [version], entities: [EntityDescription("Person", attributes: attributes)])
    }

    private static func address(
        _ name: String, optional: Bool = false, renamedFrom: String? = nil,
        _ parts: [AttributeDescription] = [.string("street", default: ""), .string("city")]
    ) -> AttributeDescription {
        .composite(name, parts, optional: optional, renamedFrom: renamedFrom)
    }

    /// Makes a store of two persons, migrates it, and returns their values.
    private func migrate(
        _ kind: StoreKind, from first: ManagedObjectModel, _ values: [[String: String]],
        to second: ManagedObjectModel, mappings: [MappingModel] = []
    ) throws -> [String] {
        let store = directory.configuration(kind)
        let old = PersistentStoreCoordinator(model: first)
        try old.addStore(store)
        let writer = ManagedObjectContext(coordinator: old)
        for values in values {
            let person = try writer.insert(entity: "Person")
            for (name, value) in values { try person.setValue(.string(value), of: name) }
        }
        try writer.save()
        old.close()
        let coordinator = PersistentStoreCoordinator(model: second)
        let report = try coordinator.addStore(
            store, migrating: StoreMigration(versions: [first, second], mappings: mappings))
        #expect(report != nil)
        defer { coordinator.close() }
        let context = ManagedObjectContext(coordinator: coordinator)
        let names = second.entities[0].description.attributes.map(\.name)
        return try context.rows(
            FetchRequest<ManagedObject>(entity: "Person", orderedBy: [FetchOrder("id")]),
            of: names.map { .key($0) }
        ).map { row in
            zip(names, row.values).map { name, value in
                if case .string(let text) = value { "\(name) \(text)" } else { "\(name) -" }
            }.joined(separator: ", ")
        }
    }

    @Test(arguments: kinds) func attributesBecomeParts(_ kind: StoreKind) throws {
        let values = try migrate(
            kind, from: Self.model("1", .string("street"), .string("homeTown"), .string("city")),
            [["street": "A", "homeTown": "B", "city": "C"], [:]],
            to: Self.model(
                "2", .string("city"),
                Self.address(
                    "home",
                    [
                        .string("street", default: "", renamedFrom: "street"),
                        .string("city", renamedFrom: "homeTown"),
                    ])))
        #expect(values == ["city C, home.street A, home.city B", "city -, home.street , home.city -"])
    }

    @Test(arguments: kinds) func compositeAndPartsAreRenamed(_ kind: StoreKind) throws {
        let new = try ManagedObjectModel(
            versionIdentifiers: ["2"], entities: [EntityDescription(Person.self)])
        for (position, former) in [("address", "town"), ("address", "city"), ("home", "town")].enumerated() {
            let old = try Self.model(
                "1", Self.address(former.0, [.string("street", default: ""), .string(former.1)]))
            let store = CompositeMigrationTests()
            let values = try store.migrate(
                kind, from: old, [["\(former.0).street": "A", "\(former.0).\(former.1)": "B"]], to: new)
            #expect(values == ["home.street A, home.city B"], "\(position)")
        }
    }

    final class Visitor: ManagedObject {
        override class var entityName: String { "Person" }
        @Attribute var town: String?
        @Composite var work: Address
    }

    @Test(arguments: kinds) func renamedPartOfTypeIsNoAttribute(_ kind: StoreKind) throws {
        for attributes in [[AttributeDescription.string("town")], [.string("town"), .string("city")]] {
            let values = try CompositeMigrationTests().migrate(
                kind,
                from: ManagedObjectModel(
                    versionIdentifiers: ["1"],
                    entities: [EntityDescription("Person", attributes: attributes)]),
                [["town": "B"], [:]],
                to: ManagedObjectModel(
                    versionIdentifiers: ["2"], entities: [EntityDescription(Visitor.self)]))
            #expect(
                values == ["town B, work.street , work.city -", "town -, work.street , work.city -"])
        }
    }

    @Test(arguments: kinds) func newCompositeWithFormerNameOfRenamedOneIsNew(_ kind: StoreKind) throws {
        let values = try migrate(
            kind, from: Self.model("1", Self.address("address")),
            [["address.street": "A", "address.city": "B"]],
            to: Self.model(
                "2", Self.address("address", optional: true), Self.address("home", renamedFrom: "address")))
        #expect(values == ["address.street -, address.city -, home.street A, home.city B"])
        let exchanged = try CompositeMigrationTests().migrate(
            kind, from: Self.model("1", Self.address("first"), Self.address("second")),
            [["first.street": "A", "second.city": "B"]],
            to: Self.model(
                "2", Self.address("first", renamedFrom: "second"),
                Self.address("second", renamedFrom: "first"), .string("note")))
        #expect(exchanged == ["first.street , first.city B, second.street A, second.city -, note -"])
        let parts = try CompositeMigrationTests().migrate(
            kind, from: Self.model("1", Self.address("home")), [["home.street": "A", "home.city": "B"]],
            to: Self.model(
                "2",
                Self.address(
                    "home", [.string("city"), .string("town", renamedFrom: "city"), .string("street")])
            ))
        #expect(parts == ["home.city -, home.town B, home.street A"])
    }

    @Test(arguments: kinds) func partsAreAddedAndRemoved(_ kind: StoreKind) throws {
        let values = try migrate(
            kind, from: Self.model("1", Self.address("home")), [["home.street": "A", "home.city": "B"]],
            to: Self.model(
                "2", Self.address("home", [.string("city"), .string("country", default: "F")]),
                Self.address("work", optional: true)))
        #expect(values == ["home.city B, home.country F, work.street -, work.city -"])
    }

    @Test(arguments: kinds) func valueBecomesOptionalAndRequired(_ kind: StoreKind) throws {
        let (required, optional) = (
            try Self.model("1", Self.address("home")),
            try Self.model("2", Self.address("home", optional: true))
        )
        let values = try migrate(kind, from: required, [["home.street": "A"]], to: optional)
        #expect(values == ["home.street A, home.city -"])
        let back = try CompositeMigrationTests().migrate(
            kind, from: optional, [["home.street": "A"], [:]],
            to: Self.model("3", Self.address("home")))
        #expect(back == ["home.street A, home.city -", "home.street , home.city -"])
    }

    final class Employee: ManagedObject {
        override class var entityName: String { "Person" }
        @Attribute var name: String?
        @Composite(partRules: [.part(\.street, renamedFrom: "street"), .part(\.city, renamedFrom: "city")])
        var work: Address?
    }

    @Test(arguments: kinds) func missingPartIsReadWithInitialValue(_ kind: StoreKind) throws {
        let old = try Self.model("1", .string("street"), .string("city"), .string("name"))
        let new = try ManagedObjectModel(
            versionIdentifiers: ["2"], entities: [EntityDescription(Employee.self)])
        let values = try migrate(kind, from: old, [["city": "B"], ["name": "C"]], to: new)
        #expect(values == ["name -, work.street -, work.city B", "name C, work.street -, work.city -"])
        let coordinator = PersistentStoreCoordinator(model: new)
        try coordinator.addStore(directory.configuration(kind))
        let context = ManagedObjectContext(coordinator: coordinator)
        let people = try context.fetch(Employee.all.ordered(by: \.id))
        #expect(people.map(\.work) == [Address(city: "B"), nil])
        people[0].name = "D"
        try context.save()
        #expect(try people[0].value(of: "work.street") == .null)
        people[0].work?.city = "E"
        try context.save()
        #expect(try people[0].value(of: "work.street") == .string(""))
    }

    @Test(arguments: kinds) func mappingNamesParts(_ kind: StoreKind) throws {
        let first = try Self.model("1", .string("address"))
        let second = try Self.model("2", Self.address("home"))
        let mapping = try MappingModel.inferred(
            from: first, to: second,
            given: ["Person": [.computed("home.street", .key("address"))]])
        #expect(
            try migrate(kind, from: first, [["address": "a"]], to: second, mappings: [mapping])
                == ["home.street a, home.city -"])
    }

    @Test func requiredPartWithoutDefaultIsRefused() throws {
        let error = #expect(throws: MappingError.self) {
            try MappingModel.inferred(
                from: Self.model("1", Self.address("home")),
                to: Self.model("2", Self.address("home", [.string("street"), .string("city", .required)])))
        }
        #expect(error?.problems.map(\.property) == ["home.city"])
    }
}
