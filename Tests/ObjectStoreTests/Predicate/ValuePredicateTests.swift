import ObjectStore
import Testing

/// Predicates over values that are no objects.
@Suite struct ValuePredicateTests {
    private static let attributes: [AttributeDescription] = [
        .string("title"), .integer64("pages"), .decimal("price"), .boolean("inPrint", default: true),
    ]

    private func matches(
        _ format: String, _ values: [String: (any AttributeValueConvertible)?],
        _ arguments: (any PredicateArgument)?...
    ) throws -> Bool {
        let predicate = try FetchPredicate(format: format, arguments: arguments)
        return try ValuePredicate(predicate, of: Self.attributes).matches(values)
    }

    @Test func predicateComparesValuesByName() throws {
        #expect(try matches("pages > 400 AND title CONTAINS[c] 'emma'", ["title": "Emma", "pages": 474]))
        #expect(try !matches("pages > 400 AND title CONTAINS[c] 'emma'", ["title": "Emma", "pages": 400]))
        #expect(try matches("id == 3 AND title == nil", ["id": 3]))
        #expect(try matches("title == nil", ["title": String?.none]))
        #expect(try matches("inPrint == YES", ["title": "Emma"]))
    }

    @Test func everySpellingOfDecimalIsEqual() throws {
        #expect(try matches("price == %@", ["price": DecimalValue("1.5")], AttributeValue.decimal("+01.50")))
    }

    @Test func wrongNamesAndTypesAreErrors() {
        #expect(throws: FetchPredicateError.self) { try matches("titel == 'Emma'", [:]) }
        #expect(throws: FetchPredicateError.self) { try matches("pages == 'Emma'", [:]) }
        let unknown = #expect(throws: PropertyError.self) { try matches("pages == 1", ["page": 1]) }
        #expect(unknown?.description == "Values.page is not among the attributes of the predicate")
        #expect(throws: ValidationError.self) { try matches("pages == 1", ["pages": "1"]) }
        #expect(throws: ValidationError.self) { try matches("pages == 1", ["id": "1"]) }
        #expect(throws: ModelError.self) {
            try ValuePredicate(.all, of: [.string("title"), .string("title")])
        }
    }

    @Test func listOfSeveralTypesIsArgument() throws {
        let values: [(any PredicateArgument)?] = ["Emma", "Persuasion", nil]
        #expect(try matches("title IN %@", ["title": "Persuasion"], .list(of: values)))
        #expect(try !matches("title IN %@", ["title": "Sanditon"], .list(of: values)))
    }

    @Test func textsOfTimesAreReadAndWritten() throws {
        let time = try #require(Timestamp(iso8601: "2026-11-20T18:42:29.5+01:00"))
        #expect(time.iso8601 == "2026-11-20T17:42:29.5Z")
        #expect(Timestamp(iso8601: "2026-11-20T18:42:29") == nil)
    }
}
