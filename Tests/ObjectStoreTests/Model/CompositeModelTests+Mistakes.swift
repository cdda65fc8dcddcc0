import ObjectStore
import Testing

// Composite attributes that a model refuses.
extension CompositeModelTests {
    struct NoPart: CompositeAttribute {
        var items: [Int: Int] = [:]
    }

    final class WithNoPart: ManagedObject {
        @Composite var house: NoPart
    }

    struct Outer: CompositeAttribute {
        var inner = NoPart()
    }

    final class WithInner: ManagedObject {
        @Composite var house: Outer
    }

    struct Empty: CompositeAttribute {}

    final class WithEmpty: ManagedObject {
        @Composite var house: Empty
    }

    struct Computed: CompositeAttribute {
        var city = ""
        var town: String { city }
        static var partRules: [CompositePart<Self>] { [.part(\.town, .length(1...2))] }
    }

    final class WithComputed: ManagedObject {
        @Composite var house: Computed
    }

    /// The part that is no attribute comes before one that has a reference in memory.
    struct Late: CompositeAttribute {
        var latitude: Float = 0
        var tags: [String] = []
    }

    final class WithLate: ManagedObject {
        @Composite var house: Late
    }

    final class Reference: CompositeAttribute {
        var city: String { "" }
        init() {}
    }

    final class WithReference: ManagedObject {
        @Composite var house: Reference
    }

    struct Existential: CompositeAttribute {
        var place: any Sendable = Place()
    }

    final class WithExistential: ManagedObject {
        @Composite var house: Existential
    }

    struct Constant: CompositeAttribute {
        let kind = "x"
        var city = ""
    }

    final class WithConstant: ManagedObject {
        @Composite var house: Constant
    }

    struct Lazy: CompositeAttribute {
        var city = ""
        lazy var number = 3
    }

    final class WithLazy: ManagedObject {
        @Composite var house: Lazy
    }

    final class Token: Sendable {}

    struct Weak: CompositeAttribute {
        var city = ""
        weak var owner: Token?
    }

    final class WithWeak: ManagedObject {
        @Composite var house: Weak
    }

    /// Reflection shows other parts than the type has.
    struct Mirrored: CompositeAttribute, CustomReflectable {
        var tags: [String] = ["a"]
        var number = 3
        var customMirror: Mirror { Mirror(self, children: ["number": 3, "tags": "x"]) }
    }

    final class WithMirrored: ManagedObject {
        @Composite var house: Mirrored
    }

    @Test func mirrorOfTypeDoesNotChangeItsParts() throws {
        let model = try ManagedObjectModel(entities: [EntityDescription(WithMirrored.self)])
        let columns = try #require(model.entity(of: WithMirrored.self)).columns
        #expect(columns.map(\.name) == ["house.tags", "house.number"])
        #expect(columns.map(\.type) == [.string, .integer64])
    }

    enum Single: String, AttributeValueConvertible, CaseIterable { case only }

    struct WithoutSize: CompositeAttribute {
        var first = Single.only
        var second = Single.only
    }

    final class WithPartsWithoutSize: ManagedObject {
        @Composite var house: WithoutSize
    }

    /// It conforms to the protocol, but is no composite attribute.
    struct ForeignValue: CompositeValue {
        typealias Composed = Place
    }

    final class WithForeignValue: ManagedObject {
        @Composite var house: ForeignValue
    }

    struct ForeignPart: CompositeAttribute {
        var place = ForeignValue()
    }

    final class WithForeignPart: ManagedObject {
        @Composite var house: ForeignPart
    }

    final class WithInitialValue: ManagedObject {
        @Composite var house: Place? = Place()
    }

    final class WithInvalidRule: ManagedObject {
        @Composite(partRules: [.part(\.latitude, .length(1...2))]) var house: Place
    }

    final class WithSameName: ManagedObject {
        @Composite var house: Place
        @ToOne("House", inverse: "others") var other: WithSameName?
        @ToMany(inverse: "House") var others: RelatedObjects<WithSameName>
    }

    struct Strange: CompositeAttribute {
        var straße = ""
    }

    final class WithStrangeName: ManagedObject {
        @Composite var house: Strange
    }

    static let mistakes:
        [(entity: EntityDescription, code: ModelError.Code, property: String, problem: String)] = [
            (
                EntityDescription(WithNoPart.self), .invalidComposite, "house.items",
                "neither that of an attribute"
            ),
            (EntityDescription(WithInner.self), .invalidComposite, "house.inner.items", "neither that of an"),
            (EntityDescription(WithEmpty.self), .invalidComposite, "house", "without parts"),
            (EntityDescription(WithComputed.self), .invalidComposite, "house", "not one of its parts"),
            (EntityDescription(WithForeignValue.self), .invalidComposite, "house", "neither a composite"),
            (
                EntityDescription(WithForeignPart.self), .invalidComposite, "house.place",
                "neither a composite"
            ),
            (EntityDescription(WithLate.self), .invalidComposite, "house.latitude", "neither that of an"),
            (EntityDescription(WithReference.self), .invalidComposite, "house", "cannot be found"),
            (EntityDescription(WithExistential.self), .invalidComposite, "house.place", "neither that of an"),
            (EntityDescription(WithConstant.self), .invalidComposite, "house.kind", "declare it with var"),
            (EntityDescription(WithLazy.self), .invalidComposite, "house.number", "lazy"),
            (EntityDescription(WithWeak.self), .invalidComposite, "house.owner", "neither that of an"),
            (
                EntityDescription(WithPartsWithoutSize.self), .invalidComposite, "house.second",
                "do not tell them apart"
            ),
            (
                EntityDescription(WithInitialValue.self), .invalidComposite, "house",
                "cannot have an initial value"
            ),
            (EntityDescription(WithInvalidRule.self), .invalidRule, "house.latitude", "length"),
            (EntityDescription(WithSameName.self), .duplicateProperty, "house", "another property"),
            (EntityDescription(WithStrangeName.self), .invalidName, "house.straße", "ASCII"),
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
                    attributes: [address("house"), address("work", optional: true), .string("origin")]),
                .classMismatch, "origin", "no attribute origin.street"
            ),
            (
                EntityDescription(
                    "Person", class: Person.self,
                    attributes: [address("house", optional: true), address("work"), address("origin")]),
                .classMismatch, "house", "no place for nil"
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
            try ManagedObjectModel(entities: [EntityDescription(Person.self, indexedBy: .index(\.house))])
        }
        #expect(error?.code == .invalidIndex && error?.property == "house")
    }
}
