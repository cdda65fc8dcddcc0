import ObjectStore
import TestSupport
import Testing

/// The statements that the server executes for predicates.
@Suite struct PostgreSQLPredicateTests {
    let directory = TemporaryStore()

    private static let conditions: [(format: String, sql: String)] = [
        ("pages > 300", #"t0."pages" > $1"#),
        ("pages > 3.5", #"t0."pages" > $1"#),
        ("pages == 3.5", "FALSE"),
        ("pages < 1e300", #"t0."pages" IS NOT NULL"#),
        ("inPrint == YES AND isbn == nil", #"(t0."inPrint" = $1) AND (t0."isbn" IS NULL)"#),
        ("NOT (rating < 4)", #"(t0."rating" < $1) IS NOT TRUE"#),
        ("title BEGINSWITH 'pay'", #"t0."title" >= $1 AND t0."title" < $2"#),
        ("title CONTAINS 'pay'", #"strpos(t0."title", $1) > 0"#),
        ("title ENDSWITH 'pay'", #"right(t0."title", length($1)) = $1"#),
        ("title LIKE 'p*y'", #"t0."title" >= $1 AND t0."title" < $2 AND t0."title" LIKE $3"#),
        ("title LIKE 'pay'", #"t0."title" = $1"#),
        ("id IN {1, 2}", #"t0."id" = ANY ($1)"#),
        ("pages BETWEEN {1, 5}", #"(t0."pages" >= $1) AND (t0."pages" <= $2)"#),
        ("publisher == 1", #"t0."publisher" = $1"#),
        ("publisher.name ==[c] 'murray'", #"t1."_name folded 1" = $1"#),
        ("title == isbn", #"(t0."title" = t0."isbn" OR (t0."title" IS NULL AND t0."isbn" IS NULL))"#),
        (
            "ANY authors.name == 'Jane'",
            #"EXISTS (SELECT  FROM "Author" AS t1 WHERE t1."id" IN (SELECT "owner" FROM "Author_books" "#
                + #"WHERE "other" = t0."id") AND (t1."name" = $1))"#
        ),
        (
            "authors.@count > 1",
            #"(SELECT count(*) FROM "Author" AS t1 WHERE t1."id" IN (SELECT "owner" FROM "Author_books" "#
                + #"WHERE "other" = t0."id")) > $1"#
        ),
    ]

    @Test(arguments: conditions)
    func predicateIsExecutedByServer(_ format: String, _ sql: String) throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let request = FetchRequest<Book>(matching: try FetchPredicate(format), limit: 2)
        let explanation = try context.explanation(of: request)
        let statement = explanation.statement
        let condition = try #require(statement.firstRange(of: " WHERE ")).upperBound
        #expect(statement[condition...].hasPrefix(sql + " ORDER BY t0.\"id\" LIMIT"), "\(statement)")
        #expect(!explanation.plan.contains("evaluate the predicate for each"))
    }

    private static let parts: [(format: String, sql: String)] = [
        ("pages > 300 AND title MATCHES '.*a'", #"WHERE (t0."pages" > $1) ORDER BY t0."id""#),
        ("pages > 300 OR title MATCHES '.*a'", #"AS t0 ORDER BY t0."id""#),
        ("NOT (pages > 300 AND title MATCHES '.*a')", #"AS t0 ORDER BY t0."id""#),
        (
            "inPrint == YES AND (pages < 9 OR (rating > 4 AND pages + 1 > 3))",
            #"WHERE (t0."inPrint" = $1) AND ((t0."pages" < $2) OR ((t0."rating" > $3))) ORDER BY t0."id""#
        ),
        (
            "ANY authors.name MATCHES 'J.*'",
            #"EXISTS (SELECT  FROM "Author" AS t1 WHERE t1."id" IN (SELECT "owner" FROM "Author_books" "#
                + #"WHERE "other" = t0."id") AND (TRUE)) ORDER BY t0."id""#
        ),
        ("title ==[cd] 'emma'", #"AS t0 ORDER BY t0."id""#),
        ("title LIKE 'E?ma'", #"WHERE t0."title" >= $1 AND t0."title" < $2 ORDER BY t0."id""#),
    ]

    @Test(arguments: parts)
    func restOfPredicateIsTestedInMemory(_ format: String, _ sql: String) throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let request = FetchRequest<Book>(matching: try FetchPredicate(format), limit: 2)
        let explanation = try context.explanation(of: request)
        #expect(explanation.statement.hasSuffix(sql), "\(explanation.statement)")
        #expect(explanation.plan.contains("evaluate the predicate for each"))
        let expected = try TestedStore.memory.shelf(in: directory)
        for limit in [nil, 1, 2] {
            let request = FetchRequest<Book>(matching: try FetchPredicate(format), limit: limit)
            #expect(try context.ids(request) == expected.ids(request))
            #expect(try context.count(request) == expected.count(request))
        }
    }

    @Test func orderWithNilIsExecutedByServer() throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let request = FetchRequest<Book>(
            orderedBy: [
                FetchOrder("rating", ascending: false), FetchOrder("publisher.name"),
                FetchOrder("pages", nilIsLast: true, zeroIsNil: true),
            ], limit: 3, offset: 1)
        #expect(
            try context.explanation(of: request).statement.hasSuffix(
                #"ORDER BY t0."rating" DESC NULLS LAST, t1."name" ASC NULLS FIRST, "#
                    + #"nullif(t0."pages", 0) ASC NULLS LAST, t0."id" LIMIT $1 OFFSET $2"#))
    }

    @Test func explanationHasPlanOfServer() throws {
        let context = try TestedStore.postgresql.shelf(in: directory)
        let explanation = try context.explanation(of: FetchRequest<Book>(matching: FetchPredicate("id == 1")))
        #expect(explanation.plan.joined().contains("_Book key"))
        #expect(explanation.bindings == [.integer(1)])
    }

    private static let preparedConditions = [
        "pages > $a", "pages >= $a AND pages <= $b", "rating < $a AND pages == $b", "published > $a",
        "pages > $a OR pages < $b", "pages > $a AND $a < 100", "NOT (pages == $a)", "title == $a",
        "pages > $a AND title MATCHES '.*a.*'", "publisher.name == 'Murray' AND pages != $a",
        "rating == $a AND inPrint == $b",
    ]

    /// The statement of a prepared fetch is used for later values of the same types only.
    @Test(arguments: preparedConditions)
    func preparedFetchGivesSameRowsForAllValues(_ format: String) throws {
        let (server, memory) = (
            try TestedStore.postgresql.shelf(in: directory), try TestedStore.memory.shelf(in: directory)
        )
        func prepared(_ context: ManagedObjectContext) throws -> PreparedFetch {
            try context.prepare(FetchRequest<Book>(matching: FetchPredicate(format)), of: ["id", "title"])
        }
        let (ours, expected) = (try prepared(server), try prepared(memory))
        let values: [AttributeValue] = [
            .integer(12), .integer(249), .integer(.max), .double(4), .double(248.5), .double(.nan),
            .double(.infinity), .null, .boolean(true), .decimal("12"), .string("Emma"),
            .date(Timestamp(secondsSince1970: -4e9)), .date(Timestamp(secondsSince1970: 0)),
        ]
        for first in values {
            for second in values {
                let bound = ["a": first, "b": second]
                let wanted = Result { try memory.rows(expected, with: bound).map(\.values) }
                let found = Result { try server.rows(ours, with: bound).map(\.values) }
                #expect((try? found.get()) == (try? wanted.get()), "\(first) \(second)")
            }
        }
    }
}
