import Testing

@testable import ObjectStore

/// The declaration of composite attributes in classes and at length.
@Suite struct CompositeModelTests {
    struct Address: CompositeAttribute {
        var street = "x"
        var city: String?
        var zip: Int = 0
        var place = Place()
        var area: Place?

        static var partRules: [CompositePart<Self>] {
            [
                .part(\.street, .required, .length(1...20)),
                .part(\.zip, .range(0...), type: .integer32, renamedFrom: "code"),
                .part(\.place.longitude, .range(0.0...180)),
            ]
        }
    }

    struct Place: CompositeAttribute {
        var latitude = 0.0
        var longitude = 1.5

        static var partRules: [CompositePart<Self>] { [.part(\.latitude, .range(-90.0...90))] }
    }

    final class Person: ManagedObject {
        @Composite(partRules: [.part(\.city, .required, preservedInHistory: true)]) var house: Address
        @Composite(renamedFrom: "office") var work: Address?
        @Composite var origin = Address(street: "y", city: "z")
    }

    static func address(
        _ name: String, street: AttributeDescription = .string("street", .required, .length(1...20)),
        city: AttributeDescription = .string("city"), optional: Bool = false, renamedFrom: String? = nil
    ) -> AttributeDescription {
        .composite(
            name,
            [
                street, city, .integer32("zip", .range(0...), default: 0, renamedFrom: "code"),
                .composite(
                    "place",
                    [
                        .double("latitude", .range(-90.0...90), default: 0),
                        .double("longitude", .range(0.0...180), default: 1.5),
                    ]),
                .composite(
                    "area",
                    [
                        .double("latitude", .range(-90.0...90), default: 0),
                        .double("longitude", default: 1.5),
                    ], optional: true),
            ], optional: optional, renamedFrom: renamedFrom)
    }

    private static func longForm() -> EntityDescription {
        EntityDescription(
            "Person", class: Person.self,
            attributes: [
                address("house", city: .string("city", .required).preservedInHistory()),
                address("work", optional: true, renamedFrom: "office"),
                address(
                    "origin", street: .string("street", .length(1...20), default: "y"),
                    city: .string("city", default: "z", optional: true)),
            ])
    }

    @Test func classAndLongFormAreEqual() throws {
        let short = try ManagedObjectModel(entities: [EntityDescription(Person.self)])
        let long = try ManagedObjectModel(entities: [Self.longForm()])
        #expect(short.canonicalText == long.canonicalText && short.versionHash == long.versionHash)
        // A part of the long form may have been an attribute.
        let attributes = long.entities[0].description.attributes.map { attribute in
            var attribute = attribute
            attribute.part?.formerNames.removeAll { $0 == "code" }
            return attribute
        }
        #expect(short.entities[0].description.attributes == attributes)
        #expect(
            short.canonicalText.hasPrefix(
                """
                entity Person
                attribute house.area.latitude double optional
                attribute house.area.longitude double optional
                attribute house.city string required
                attribute house.place.latitude double required
                attribute house.place.longitude double required
                attribute house.street string required
                attribute house.zip integer32 required
                """), "\(short.canonicalText)")
        #expect(short.canonicalText.contains("attribute work.street string optional\n"))
        // A model that is merged from models has the parts already.
        let merged = try ManagedObjectModel(merging: [short, short])
        #expect(merged.versionHash == short.versionHash)
    }

    @Test func newObjectHasDefaultsOfParts() throws {
        let model = try ManagedObjectModel(entities: [EntityDescription(Person.self)])
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let person = try context.insert(Person.self)
        #expect(try person.value(of: "house.street") == .null && person.house.street == "x")
        #expect(person.house.place.longitude == 1.5 && person.house.area == nil && person.work == nil)
        #expect(person.origin.street == "y" && person.origin.city == "z")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["house.street", "house.city"])
        person.house = Address(city: "a")
        person.house.place.latitude = 91
        person.house.place.longitude = -1
        person.work = Address(street: "")
        let failures = #expect(throws: ValidationError.self) { try context.save() }?.failures
        #expect(
            failures?.map(\.property) == ["house.place.latitude", "house.place.longitude", "work.street"])
    }

    // MARK: - Other uses

    final class Contact: ManagedObject {
        @Composite var house: Place
        @Attribute(derivedFrom: "house.latitude + house.longitude") var sum: Double?
    }

    @Test func derivedAttributeUsesParts() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Contact.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let contact = try context.insert(Contact.self)
        try context.save()
        #expect(contact.sum == 1.5)
        contact.house.latitude = 2
        try context.save()
        #expect(contact.sum == 3.5)
    }

    class Item: ManagedObject {
        @Attribute var title: String = ""
        @Composite var origin: Place
    }

    final class Shop: Item {
        @Composite var site: Place
        @Composite var other: Place?
    }

    final class Stop: Item {
        @Composite var site: Place
    }

    @Test func hierarchyInheritsAndSharesParts() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription(Item.self), EntityDescription(Shop.self), EntityDescription(Stop.self),
            ]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let (shop, stop) = (try context.insert(Shop.self), try context.insert(Stop.self))
        (shop.title, stop.title) = ("a", "b")
        (shop.site.latitude, stop.site.latitude, shop.origin.latitude) = (1, 2, 3)
        shop.other = Place(latitude: 4)
        try context.save()
        let other = ManagedObjectContext(coordinator: coordinator)
        let items = try other.fetch(Item.all.ordered(by: \.title))
        #expect(items.map(\.origin.latitude) == [3, 0])
        #expect((items[0] as? Shop)?.other?.latitude == 4 && (items[1] as? Stop)?.site.latitude == 2)
        #expect(try other.count(FetchRequest<Item>(matching: FetchPredicate("site.latitude == 2"))) == 1)
        #expect(try other.count(Shop.where { $0.other.latitude == 4 && $0.origin.latitude == 3 }) == 1)
        #expect(try other.count(FetchRequest<Item>(matching: FetchPredicate("other == nil"))) == 1)
        #expect(try other.count(FetchRequest<Shop>(matching: FetchPredicate("other != nil"))) == 1)
        for format in ["other.latitude == 1", "site.length == 1"] {
            #expect(throws: FetchPredicateError.self, "\(format)") {
                try other.count(FetchRequest<Stop>(matching: FetchPredicate(format)))
            }
        }
    }

    @Test func hierarchyRefusesNameOfEntity() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [
                EntityDescription("A", attributes: [.composite("entity", [.string("b")])]),
                EntityDescription("B", parent: "A"),
            ])
        }
        #expect(error?.code == .duplicateProperty && error?.property == "entity")
    }
}
