import ObjectStore
import Testing

/// Requests with their statement, their bindings and their rows, side by side.
@Suite struct StatementTests {
    let shelf: Shelf

    init() throws {
        shelf = try Shelf()
    }

    struct Case: Sendable {
        let request: FetchRequest<Book>
        let statement: String
        let bindings: [AttributeValue]
        let ids: [Int64]
    }

    private static func matching(_ format: String, _ arguments: (any PredicateArgument)?...) throws
        -> FetchPredicate
    {
        try FetchPredicate(format: format, arguments: arguments)
    }

    static let cases: [Case] = {
        do {
            return try makeCases()
        } catch {
            Issue.record(error)
            return []
        }
    }()

    private static func makeCases() throws -> [Case] {
        [
            Case(request: FetchRequest(), statement: "", bindings: [], ids: [1, 2, 3, 4, 5]),
            // A constant in the format is a literal, and an argument is bound.
            Case(
                request: FetchRequest(matching: try matching("pages > 300 AND rating < %@", 4.0)),
                statement: #" WHERE t0."pages" > 300 AND t0."rating" < ?"#, bindings: [.double(4)], ids: [4]),
            // A relationship that is followed twice is joined once.
            Case(
                request: FetchRequest(
                    matching: try matching("publisher.name == 'Murray' OR publisher.name == %@", "Egerton"),
                    orderedBy: [FetchOrder("publisher.name"), FetchOrder("title", ascending: false)]),
                statement: #" LEFT JOIN "Publisher" AS t1 ON t1."id" = t0."publisher" "#
                    + #"WHERE t1."name" = 'Murray' OR t1."name" = ? ORDER BY t1."name", t0."title" DESC, t0."id""#,
                bindings: [.string("Egerton")], ids: [4, 3, 1]),
            // A decimal is stored as its text, which can be compared for equality but not for order.
            Case(
                request: FetchRequest(
                    matching: try matching("cover.price > 9.5 OR cover.price == %@", DecimalValue("2.50")),
                    orderedBy: [FetchOrder("cover.price", ascending: false, zeroIsNil: true)]),
                statement: #" LEFT JOIN "Cover" AS t1 ON t1."id" = t0."cover" "#
                    + #"WHERE decimal_rank(t1."price") > decimal_rank('9.5') OR t1."price" = ? "#
                    + #"ORDER BY nullif(decimal_rank(t1."price"), decimal_rank('0')) DESC, t0."id""#,
                bindings: [.decimal("2.5")], ids: []),
            // The id at the other end is the value of the reference, so nothing is joined.
            Case(
                request: FetchRequest(
                    matching: FetchPredicate(.key("publisher"), .equal, .value(.integer(1)))),
                statement: #" WHERE t0."publisher" = ?"#, bindings: [.integer(1)], ids: [1, 3]),
            Case(
                request: FetchRequest(matching: try matching("rating == nil")),
                statement: #" WHERE t0."rating" IS NULL"#, bindings: [], ids: [2]),
            Case(
                request: FetchRequest(matching: try matching("NOT rating < 4")),
                statement: #" WHERE (t0."rating" < 4.0) IS NOT TRUE"#, bindings: [], ids: [1, 2, 3]),
            Case(
                request: FetchRequest(orderedBy: [FetchOrder("title", options: .caseInsensitive)], limit: 2),
                statement: #" ORDER BY folded(t0."title", 1), t0."id" LIMIT ?"#, bindings: [.integer(2)],
                ids: [1, 2]),
            Case(
                request: FetchRequest(orderedBy: [FetchOrder("id", ascending: false)], offset: 3),
                statement: #" ORDER BY t0."id" DESC LIMIT -1 OFFSET ?"#, bindings: [.integer(3)], ids: [2, 1]),
            // A value never becomes text of the statement.
            Case(
                request: FetchRequest(matching: try matching("title == %@", "\"; DROP TABLE Book; --")),
                statement: #" WHERE t0."title" = ?"#, bindings: [.string("\"; DROP TABLE Book; --")], ids: []),
        ]
    }

    @Test(arguments: cases) func requestBecomesStatementAndBindings(_ test: Case) throws {
        let explanation = try shelf.context.explanation(of: test.request)
        let beginning =
            #"SELECT t0."id", t0."title", t0."published", t0."pages", t0."inPrint", t0."isbn", t0."rating", "#
            + #"t0."publisher", t0."cover" FROM "Book" AS t0"#
        #expect(explanation.statement == beginning + test.statement)
        #expect(explanation.bindings == test.bindings)
        let ids = try shelf.context.fetch(test.request).map(\.id)
        #expect(test.request.order.isEmpty ? ids.sorted() == test.ids : ids == test.ids)
    }
}
