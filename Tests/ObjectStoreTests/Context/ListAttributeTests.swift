import ObjectStore
import TestSupport
import Testing

/// Attributes that are lists of values.
@Suite struct ListAttributeTests {
    let store = TemporaryStore()

    enum Color: String, AttributeValueConvertible, AttributeListElement {
        case red, green
    }

    final class Paint: ManagedObject {
        @Attribute var tags: [String] = []
        @Attribute var numbers: [Int]?
        @Attribute var weights: [Double] = [0.5]
        @Attribute var colors: [Color] = [.red]
        @Attribute var dates: [Timestamp]?
        @Attribute var flags: [Bool]?
        @Attribute var prices: [DecimalValue]?
        @Attribute var bytes: [UInt8]?
        @ToOne var shop: Shop?
    }

    final class Shop: ManagedObject {
        @ToMany(inverse: \Paint.shop) var paints: RelatedObjects<Paint>
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [EntityDescription(Paint.self), EntityDescription(Shop.self)])
    }

    @Test func classDeclaresLists() throws {
        let paint = EntityDescription(Paint.self)
        #expect(
            paint.attributes == [
                .list("tags", of: .string, default: []), .list("numbers", of: .integer64),
                .list("weights", of: .double, default: [.double(0.5)]),
                .list("colors", of: .string, default: [.string("red")]), .list("dates", of: .date),
                .list("flags", of: .boolean), .list("prices", of: .decimal), .binary("bytes"),
            ])
    }

    @Test(arguments: TestedStore.allCases)
    func listsAreReadBackUnchanged(_ kind: TestedStore) throws {
        let context = try kind.context(in: store, Self.model())
        let paint = try context.insert(Paint.self)
        #expect(paint.tags == [] && paint.numbers == nil && paint.weights == [0.5] && paint.colors == [.red])
        let tags = ["", "a\"b\\c", "line\nbreak\t\u{1}", "é", "👩‍👩‍👧", "]", ",", "/", "\u{2028}"]
        paint.tags = tags
        paint.numbers = [0, -1, .max, .min]
        paint.weights = [
            0.1, -0.0, 1e300, .leastNonzeroMagnitude, 1_795_196_549.123_456_7,
        ]
        paint.colors = [.green, .red, .green]
        paint.dates = [Timestamp(secondsSince1970: 1_795_196_549.25), Timestamp(secondsSince1970: -1e9)]
        paint.flags = [true, false]
        paint.prices = [
            try #require(DecimalValue("12345678901234567890.5")), try #require(DecimalValue("-0.1")),
        ]
        paint.bytes = [0, 255]
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(try other.object(of: Paint.self, id: paint.id))
        #expect(read.tags == tags && read.numbers == [0, -1, .max, .min] && read.weights == paint.weights)
        #expect(
            read.colors == [.green, .red, .green] && read.dates == paint.dates && read.flags == [true, false])
        #expect(read.prices == paint.prices && read.bytes == [0, 255])
        #expect(read.snapshot().tags == tags)
    }

    // MARK: - Predicates

    static let formats: [(format: String, ids: [Int64])] = [
        ("ANY tags == 'red'", [1]), ("'red' IN tags", [1]), ("tags CONTAINS 'red'", [1]),
        ("ANY tags ==[c] 'RED'", [1]),
        ("ANY tags BEGINSWITH 'gr'", [1, 2]), ("ALL tags == 'green'", [2, 3]),
        ("NONE tags == 'red'", [2, 3]),
        ("tags.@count == 0", [3]), ("tags.@count > 1", [1]), ("tags[SIZE] == 1", [2]),
        ("tags[0] == 'red'", [1]),
        ("tags[LAST] == 'green'", [1, 2]), ("tags[FIRST] == nil", [3]), ("tags[1] == 'green'", [1]),
        ("tags[0].length == 3", [1]), ("numbers == nil", [2, 3]), ("numbers != nil", [1]),
        ("numbers.@sum == 6", [1]),
        ("numbers.@max == 3", [1]), ("ANY numbers > 2", [1]), ("ALL numbers > 0", [1, 2, 3]),
        ("numbers[2] - 1 == 2", [1]),
        ("ANY weights == 0.1", [1]), ("weights[0] == 0.5", [2, 3]), ("ANY flags == YES", [1]),
        ("flags[1] == NO", [1]),
        ("ANY prices > 10", [1]), ("ANY prices == 0.10", [1]), ("ANY dates < CAST(0, 'NSDate')", [1]),
        ("ANY tags.length == 5", [1, 2]), ("ANY tags IN {'red', 'blue'}", [1]),
        ("ANY shop.paints.tags == 'red'", [1, 2]),
        ("shop.paints.tags.@count == 3", [1, 2]), ("NOT ANY tags == 'red'", [2, 3]),
        ("tags[0] IN {'green'}", [2]),
        ("ANY tags MATCHES 'r.d'", [1]), ("ANY tags CONTAINS[search] 'RED'", [1]),
        ("tags.@distinctUnionOfObjects.@count == 2", [1]), ("numbers == NULL", [2, 3]),
        ("SUBQUERY(tags, $t, uppercase($t) == 'RED').@count > 0", [1]),
        ("SUBQUERY(tags, $t, $t.length > 3 AND $t != 'blue').@count == 1", [1, 2]),
        ("ANY SUBQUERY(numbers, $n, $n > 1) == 3", [1]), ("SUBQUERY(numbers, $n, $n > 1).@sum == 5", [1]),
        ("SUBQUERY(prices, $p, $p > 10).@count == 1", [1]),
        ("SUBQUERY(shop.paints.tags, $t, $t == 'red').@count == 1", [1, 2]),
        ("SUBQUERY(SUBQUERY(tags, $t, $t != 'x'), $t, $t == 'red').@count == 1", [1]),
    ]

    private func filled(_ kind: TestedStore) throws -> (ManagedObjectContext, [Paint]) {
        let context = try kind.context(in: store, Self.model())
        let paints = try (0..<3).map { _ in try context.insert(Paint.self) }
        paints[0].tags = ["red", "green"]
        paints[0].numbers = [1, 2, 3]
        paints[0].weights = [0.1]
        paints[0].flags = [true, false]
        paints[0].prices = [try #require(DecimalValue("0.1")), try #require(DecimalValue("100"))]
        paints[0].dates = [Timestamp(secondsSince1970: 1)]
        paints[1].tags = ["green"]
        let shop = try context.insert(Shop.self)
        shop.paints.replace(with: paints.prefix(2))
        try context.save()
        return (context, paints)
    }

    @Test(arguments: formats, TestedStore.allCases)
    func predicatesTestElements(_ sample: (format: String, ids: [Int64]), _ kind: TestedStore) throws {
        let (context, paints) = try filled(kind)
        let predicate = try FetchPredicate(sample.format)
        #expect(try FetchPredicate(predicate.format) == predicate)
        let found = try context.ids(FetchRequest<Paint>(matching: predicate, orderedBy: [FetchOrder("id")]))
        #expect(found == sample.ids)
        #expect(try paints.filter { try predicate.matches($0) }.map(\.id) == sample.ids)
    }

    @Test func typedKeysPrintAsFormats() throws {
        for (predicate, format) in [
            (FetchPredicate(Paint.self) { $0.tags.contains("red") }, "tags CONTAINS \"red\""),
            (FetchPredicate(Paint.self) { $0.tags.any > "m" }, "ANY tags > \"m\""),
            (FetchPredicate(Paint.self) { $0.numbers.count == 0 }, "numbers.@count == 0"),
            (FetchPredicate(Paint.self) { $0.numbers[0] == 3 }, "numbers[0] == 3"),
            (FetchPredicate(Paint.self) { $0.colors.first == .red }, "colors[FIRST] == \"red\""),
            (FetchPredicate(Shop.self) { $0.paints.any.tags.contains("x") }, "paints.tags CONTAINS \"x\""),
            (FetchPredicate(Paint.self) { $0.tags.isEmpty }, "tags.@count == 0"),
            (
                FetchPredicate(Paint.self) { $0.tags == ["a", "b"] },
                "tags.@count == 2 AND tags[0] == \"a\" AND tags[1] == \"b\""
            ),
            (FetchPredicate(Paint.self) { $0.tags == [] }, "tags.@count == 0"),
            (
                FetchPredicate(Paint.self) { $0.numbers != [1] },
                "NOT (numbers.@count == 1 AND numbers[0] == 1)"
            ),
            (
                FetchPredicate(Paint.self) { $0.tags.none.uppercased() == "RED" },
                "SUBQUERY(tags, $x, uppercase($x) == \"RED\").@count == 0"
            ),
            (
                FetchPredicate(Paint.self) { $0.tags.any == $0.tags[0] },
                "ANY tags == tags[0]"
            ),
        ] {
            #expect(predicate.format == format)
            #expect(try FetchPredicate(format) == predicate)
        }
    }

    @Test(arguments: [
        "tags == 'red'", "tags > 'a'", "tags BEGINSWITH 'r'", "tags == tags", "ANY tags == 3",
        "tags[0].missing == 1",
        "tags[0][0] == 1", "SUBQUERY(tags, $t, $t.name == 'red').@count > 0", "tags.name == 'x'",
        "SUBQUERY(tags, $t, $t == 1).@count > 0", "SUBQUERY(tags, $t, $t == 'red') == 'red'",
    ])
    func listIsNoText(_ format: String) throws {
        let (context, _) = try filled(.sqlite)
        #expect(throws: FetchPredicateError.self) {
            try context.ids(FetchRequest<Paint>(matching: FetchPredicate(format)))
        }
    }

    // MARK: - Values that are no lists

    @Test(arguments: [
        "", "[", "[1]", "[\"a\",]", "[\"a\"] x", "{}", "[null]", "[\"a\" \"b\"]", "[\"\\u0000\"]",
        "[\"\\ud800\"]", "x",
    ])
    func textThatIsNoListIsNotSaved(_ text: String) throws {
        let context = try store.context(Self.model())
        let paint = try context.insert(Paint.self)
        try paint.setValue(.string(text), of: "tags")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["tags"])
    }

    @Test func elementsWithoutPlaceInJSONAreNotSaved() throws {
        let context = try store.context(Self.model())
        let paint = try context.insert(Paint.self)
        paint.tags = ["a\u{0}b"]
        paint.weights = [.infinity]
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.property) == ["tags", "weights"])
    }

    /// A text that another program has stored counts as an empty list in a predicate.
    @Test func damagedListHasNoElements() throws {
        let (context, _) = try filled(.sqlite)
        context.coordinator.close()
        try store.execute("UPDATE Paint SET tags = '[\"red\", 3' WHERE id = 1")
        let again = try store.context(Self.model())
        #expect(try again.ids(Paint.where { $0.tags.contains("red") }) == [])
        #expect(try again.ids(Paint.where { $0.tags.count == 0 }.ordered(by: \.id)) == [1, 3])
    }

    @Test func misusesOfListsAreRefused() throws {
        for (attribute, code) in [
            (AttributeDescription.list("a", of: .binary), ModelError.Code.invalidRule),
            (.list("a", of: .string, .unique), .invalidRule),
            (.list("a", of: .string, .length(1...2)), .invalidRule),
            (.list("a", of: .integer16, default: [.integer(70_000)]), .invalidDefault),
            (.list("a", of: .string, default: [.integer(1)]), .invalidDefault),
            (.list("a", of: .double, default: [.double(.infinity)]), .invalidDefault),
        ] {
            let error = #expect(throws: ModelError.self) {
                try ManagedObjectModel(entities: [EntityDescription("A", attributes: [attribute])])
            }
            #expect(error?.code == code)
        }
    }

    @Test func listIsNotInferredFromText() throws {
        let versions = try [
            AttributeDescription.string("a"), .list("a", of: .string), .list("a", of: .integer64),
        ].map {
            try ManagedObjectModel(entities: [EntityDescription("A", attributes: [$0])])
        }
        #expect(Set(versions.map(\.versionHash)).count == 3)
        for (from, to) in [(0, 1), (1, 0), (1, 2)] {
            #expect(throws: MappingError.self) {
                try MappingModel.inferred(from: versions[from], to: versions[to])
            }
        }
    }
}
