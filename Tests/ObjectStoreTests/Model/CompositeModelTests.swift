import ObjectStore
import Testing

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
        @Composite(partRules: [.part(\.city, .required, preservedInHistory: true)]) var home: Address
        @Composite(renamedFrom: "office") var work: Address?
        @Composite var origin = Address(street: "y", city: "z")
    }

    private static func address(
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
                address("home", city: .string("city", .required).preservedInHistory()),
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
        #expect(short.entities[0].description.attributes == long.entities[0].description.attributes)
        #expect(
            short.canonicalText.hasPrefix(
                """
                entity Person
                attribute home.area.latitude double optional
                attribute home.area.longitude double optional
                attribute home.city string required
                attribute home.place.latitude double required
                attribute home.place.longitude double required
                attribute home.street string required
                attribute home.zip integer32 required
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
        #expect(try person.value(of: "home.street") == .null && person.home.street == "x")
        #expect(person.home.place.longitude == 1.5 && person.home.area == nil && person.work == nil)
        #expect(person.origin.street == "y" && person.origin.city == "z")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["home.street", "home.city"])
        person.home = Address(city: "a")
        person.home.place.latitude = 91
        person.home.place.longitude = -1
        person.work = Address(street: "")
        let failures = #expect(throws: ValidationError.self) { try context.save() }?.failures
        #expect(
            failures?.map(\.property) == ["home.place.latitude", "home.place.longitude", "work.street"])
    }

    // MARK: - Mistakes

    struct NoPart: CompositeAttribute {
        var items: [Int: Int] = [:]
    }

    final class WithNoPart: ManagedObject {
        @Composite var home: NoPart
    }

    struct Outer: CompositeAttribute {
        var inner = NoPart()
    }

    final class WithInner: ManagedObject {
        @Composite var home: Outer
    }

    struct Empty: CompositeAttribute {}

    final class WithEmpty: ManagedObject {
        @Composite var home: Empty
    }

    struct Computed: CompositeAttribute {
        var city = ""
        var town: String { city }
        static var partRules: [CompositePart<Self>] { [.part(\.town, .length(1...2))] }
    }

    final class WithComputed: ManagedObject {
        @Composite var home: Computed
    }

    /// The part that is no attribute comes before one that has a reference in memory.
    struct Late: CompositeAttribute {
        var latitude: Float = 0
        var tags: [String] = []
    }

    final class WithLate: ManagedObject {
        @Composite var home: Late
    }

    final class Reference: CompositeAttribute {
        var city: String { "" }
        init() {}
    }

    final class WithReference: ManagedObject {
        @Composite var home: Reference
    }

    struct Existential: CompositeAttribute {
        var place: any Sendable = Place()
    }

    final class WithExistential: ManagedObject {
        @Composite var home: Existential
    }

    struct Constant: CompositeAttribute {
        let kind = "x"
        var city = ""
    }

    final class WithConstant: ManagedObject {
        @Composite var home: Constant
    }

    struct Lazy: CompositeAttribute {
        var city = ""
        lazy var number = 3
    }

    final class WithLazy: ManagedObject {
        @Composite var home: Lazy
    }

    final class Token: Sendable {}

    struct Weak: CompositeAttribute {
        var city = ""
        weak var owner: Token?
    }

    final class WithWeak: ManagedObject {
        @Composite var home: Weak
    }

    /// Reflection shows other parts than the type has.
    struct Mirrored: CompositeAttribute, CustomReflectable {
        var tags: [String] = ["a"]
        var number = 3
        var customMirror: Mirror { Mirror(self, children: ["number": 3, "tags": "x"]) }
    }

    final class WithMirrored: ManagedObject {
        @Composite var home: Mirrored
    }

    @Test func mirrorOfTypeDoesNotChangeItsParts() throws {
        let model = try ManagedObjectModel(entities: [EntityDescription(WithMirrored.self)])
        let columns = try #require(model.entity(of: WithMirrored.self)).columns
        #expect(columns.map(\.name) == ["home.tags", "home.number"])
        #expect(columns.map(\.type) == [.string, .integer64])
    }

    enum Single: String, AttributeValueConvertible, CaseIterable { case only }

    struct WithoutSize: CompositeAttribute {
        var first = Single.only
        var second = Single.only
    }

    final class WithPartsWithoutSize: ManagedObject {
        @Composite var home: WithoutSize
    }

    /// It conforms to the protocol, but is no composite attribute.
    struct ForeignValue: CompositeValue {
        typealias Composed = Place
    }

    final class WithForeignValue: ManagedObject {
        @Composite var home: ForeignValue
    }

    struct ForeignPart: CompositeAttribute {
        var place = ForeignValue()
    }

    final class WithForeignPart: ManagedObject {
        @Composite var home: ForeignPart
    }

    final class WithInitialValue: ManagedObject {
        @Composite var home: Place? = Place()
    }

    final class WithInvalidRule: ManagedObject {
        @Composite(partRules: [.part(\.latitude, .length(1...2))]) var home: Place
    }

    final class WithSameName: ManagedObject {
        @Composite var home: Place
        @ToOne("Home", inverse: "others") var other: WithSameName?
        @ToMany(inverse: "Home") var others: RelatedObjects<WithSameName>
    }

    struct Strange: CompositeAttribute {
        var straße = ""
    }

    final class WithStrangeName: ManagedObject {
        @Composite var home: Strange
    }

    static let mistakes:
        [(entity: EntityDescription, code: ModelError.Code, property: String, problem: String)] = [
            (
                EntityDescription(WithNoPart.self), .invalidComposite, "home.items",
                "neither that of an attribute"
            ),
            (EntityDescription(WithInner.self), .invalidComposite, "home.inner.items", "neither that of an"),
            (EntityDescription(WithEmpty.self), .invalidComposite, "home", "without parts"),
            (EntityDescription(WithComputed.self), .invalidComposite, "home", "not one of its parts"),
            (EntityDescription(WithForeignValue.self), .invalidComposite, "home", "neither a composite"),
            (EntityDescription(WithForeignPart.self), .invalidComposite, "home.place", "neither a composite"),
            (EntityDescription(WithLate.self), .invalidComposite, "home.latitude", "neither that of an"),
            (EntityDescription(WithReference.self), .invalidComposite, "home", "cannot be found"),
            (EntityDescription(WithExistential.self), .invalidComposite, "home.place", "neither that of an"),
            (EntityDescription(WithConstant.self), .invalidComposite, "home.kind", "declare it with var"),
            (EntityDescription(WithLazy.self), .invalidComposite, "home.number", "lazy"),
            (EntityDescription(WithWeak.self), .invalidComposite, "home.owner", "neither that of an"),
            (
                EntityDescription(WithPartsWithoutSize.self), .invalidComposite, "home.second",
                "do not tell them apart"
            ),
            (
                EntityDescription(WithInitialValue.self), .invalidComposite, "home",
                "cannot have an initial value"
            ),
            (EntityDescription(WithInvalidRule.self), .invalidRule, "home.latitude", "length"),
            (EntityDescription(WithSameName.self), .duplicateProperty, "home", "another property"),
            (EntityDescription(WithStrangeName.self), .invalidName, "home.straße", "ASCII"),
            (EntityDescription("A", attributes: [.string("a.b")]), .invalidName, "a.b", "a dot"),
            (
                EntityDescription("A", attributes: [.composite("a", [.string("b.c")])]), .invalidName,
                "a.b.c",
                "no dot"
            ),
            (
                EntityDescription("A", attributes: [.composite("id", [.string("b")])]), .invalidName, "id",
                "an id already"
            ),
            (
                EntityDescription("A", attributes: [.composite("a", [])]), .invalidComposite, "a",
                "without parts"
            ),
            (
                EntityDescription("A", attributes: [.composite("a", [.string("b").derived(from: "'x'")])]),
                .invalidComposite, "a.b", "derive an attribute of the entity"
            ),
            (
                EntityDescription("A", attributes: [.composite("a", [.string("b").external()])]),
                .invalidComposite, "a.b", "external"
            ),
            (
                EntityDescription("A", attributes: [.composite("a", [.string("b"), .string("B")])]),
                .duplicateProperty, "a.B", "ignoring case"
            ),
            (
                EntityDescription(
                    "A", attributes: [.composite("a", [.string("b")]), .composite("A", [.string("c")])]),
                .duplicateProperty, "a", "ignoring case"
            ),
            (
                EntityDescription(
                    "Person", class: Person.self,
                    attributes: [address("home"), address("work", optional: true), .string("origin")]),
                .classMismatch, "origin", "no attribute origin.street"
            ),
            (
                EntityDescription(
                    "Person", class: Person.self,
                    attributes: [address("home", optional: true), address("work"), address("origin")]),
                .classMismatch, "home", "no place for nil"
            ),
        ]

    @Test(arguments: mistakes)
    func modelRefusesMistake(
        _ sample: (entity: EntityDescription, code: ModelError.Code, property: String, problem: String)
    ) {
        let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: [sample.entity]) }
        #expect(
            error?.code == sample.code && error?.property == sample.property, "\(String(describing: error))")
        #expect(error?.message.contains(sample.problem) == true, "\(error?.message ?? "")")
    }

    @Test func indexOfWholeValueIsRefused() {
        let error = #expect(throws: ModelError.self) {
            try ManagedObjectModel(entities: [EntityDescription(Person.self, indexedBy: .index(\.home))])
        }
        #expect(error?.code == .invalidIndex && error?.property == "home")
    }

    // MARK: - Other uses

    final class Contact: ManagedObject {
        @Composite var home: Place
        @Attribute(derivedFrom: "home.latitude + home.longitude") var sum: Double?
    }

    @Test func derivedAttributeUsesParts() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [EntityDescription(Contact.self)]))
        try coordinator.addStore(.memory)
        let context = ManagedObjectContext(coordinator: coordinator)
        let contact = try context.insert(Contact.self)
        try context.save()
        #expect(contact.sum == 1.5)
        contact.home.latitude = 2
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
