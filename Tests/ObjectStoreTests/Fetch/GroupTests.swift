import Testing

@testable import ObjectStore

/// Conditions for groups, and orders by aggregates.
@Suite struct GroupTests {
    let directory = TemporaryStore()

    private func names(
        _ context: ManagedObjectContext, _ having: FetchPredicate = .all, order: [FetchOrder] = []
    ) throws -> [AttributeValue] {
        try context.rows(
            FetchRequest<Book>(orderedBy: order), of: ["publisher.name"], groupedBy: ["publisher.name"],
            having: having
        ).map { $0[0] }
    }

    @Test(arguments: TestedStore.allCases)
    func conditionSelectsGroups(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let all = try names(context)
        #expect(all == [.null, .string("Egerton"), .string("Murray")])
        #expect(try names(context, FetchPredicate("@count > 1")) == [.null, .string("Murray")])
        #expect(
            try names(context, FetchPredicate("@sum.pages > 400 AND @count == 1")) == [.string("Egerton")])
        #expect(
            try names(context, FetchPredicate("publisher.name == nil OR @avg.pages > %d", 470))
                == [.null, .string("Egerton")])
    }

    @Test(arguments: TestedStore.allCases)
    func typedConditionEqualsItsFormat(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let typed = FetchPredicate(groupsOf: Book.self) {
            $0.count > 1 && $0.average(\.pages) < 100.0 && $0.min(\.rating) != nil
        }
        #expect(typed.description == "@count > 1 AND @avg.pages < 100.0 AND @min.rating != nil")
        #expect(try FetchPredicate(typed.description) == typed)
        #expect(try names(context, typed) == [.null])
    }

    @Test(arguments: TestedStore.allCases)
    func typedRowsSelectAndOrderGroups(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let rows = try context.rows(
            Book.all.ordered(byColumn: .count, ascending: false).ordered(byColumn: .sum(\.pages)),
            of: .key(\.publisher?.name), .count, groupedBy: [\.publisher?.name])
        #expect(rows.map(\.0) == [nil, "Murray", "Egerton"] && rows.map(\.1) == [2, 2, 1])
        let large: [String?] = try context.rows(
            Book.all.ordered(byColumn: .max(\.pages), ascending: false), of: .key(\.publisher?.name),
            groupedBy: [\.publisher?.name], having: { $0.count > 1 && $0.average(\.pages) > 100 })
        #expect(large == ["Murray"])
        let named: [Int] = try context.rows(
            Book.all, of: .count, groupedBy: [\.publisher?.name],
            having: { $0.publisher.name == "Egerton" || $0.sum(\.pages) > 100_000 })
        #expect(named == [1])
        #expect(try context.rows(Book.all, of: .count, having: { $0.count > 5 }) == [])
    }

    @Test(arguments: TestedStore.allCases)
    func groupsAreOrderedByAggregates(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        #expect(
            try names(context, order: [FetchOrder(.max("pages"), ascending: false)])
                == [.string("Egerton"), .string("Murray"), .null])
        #expect(
            try names(context, order: [FetchOrder("@count", ascending: false), FetchOrder("@sum.pages")])
                == [.null, .string("Murray"), .string("Egerton")])
    }

    @Test(arguments: TestedStore.allCases)
    func conditionAppliesToOnlyGroupOfAll(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let all = FetchRequest<Book>()
        #expect(try context.rows(all, of: [.count], having: FetchPredicate("@count > 4")).count == 1)
        #expect(try context.rows(all, of: [.count], having: FetchPredicate("@count > 5")).count == 0)
    }

    /// Like the column, and unlike the sum of a relationship, the sum of no values is nil.
    @Test(arguments: TestedStore.allCases)
    func sumOfNoValuesIsNil(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let rows = try context.rows(
            FetchRequest<Book>(matching: FetchPredicate("rating == nil")), of: [.sum("rating")],
            having: FetchPredicate("@sum.rating == nil"))
        #expect(rows.map { $0[0] } == [.null])
    }

    @Test(arguments: TestedStore.allCases)
    func preparedConditionTakesValues(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let fetch = try context.prepare(
            FetchRequest<Book>(matching: FetchPredicate("pages > $pages")), of: ["publisher.name", .count],
            groupedBy: ["publisher.name"], having: FetchPredicate("@count >= $count"))
        for (pages, count, expected) in [(0, 2, 2), (100, 2, 1), (100, 1, 2), (10, 1, 3), (10, 9, 0)] {
            let values = ["pages": AttributeValue.integer(Int64(pages)), "count": .integer(Int64(count))]
            #expect(try context.rows(fetch, with: values).count == expected)
        }
        #expect(throws: (any Error).self) { try context.rows(fetch, with: ["pages": .integer(1)]) }
    }

    @Test(arguments: TestedStore.allCases)
    func streamOfGroupsHasCondition(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let stream = try context.stream(
            FetchRequest<Book>(orderedBy: [FetchOrder(.count)]), of: ["publisher.name", .count],
            groupedBy: ["publisher.name"], having: FetchPredicate("@count > 1"))
        #expect(try stream.next()?["publisher.name"] == .null)
        #expect(try stream.next()?["publisher.name"] == .string("Murray"))
        #expect(try stream.next() == nil)
    }

    @Test(arguments: TestedStore.allCases)
    func conditionWithoutMeaningIsRefused(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        for format in [
            "title == 'Emma'", "@sum.title > 1", "@count.title > 1", "SELF == 1", "@max.nothing == 1",
            "authors.@count > 1", "@distinctUnionOfObjects.pages.@sum > 1", "ANY authors.name == 'Jane'",
            "SUBQUERY(authors, $x, $x.born == nil).@count > 0",
        ] {
            #expect(throws: (any Error).self, "\(format)") { try names(context, FetchPredicate(format)) }
        }
        #expect(throws: FetchPredicateError.self) { try names(context, FetchPredicate("@count == 'one'")) }
        let reference = try FetchPredicate("publisher == 1")
        #expect(throws: FetchError.self) {
            try context.rows(
                FetchRequest<Book>(), of: [.count], groupedBy: ["publisher"], having: reference)
        }
        #expect(throws: FetchError.self) {
            try context.rows(FetchRequest<Book>(), of: ["title"], having: FetchPredicate("title == 'x'"))
        }
        #expect(throws: FetchError.self) {
            try context.fetch(FetchRequest<Book>(orderedBy: [FetchOrder(.count)]))
        }
    }

    @Test func conditionIsAHavingClause() throws {
        let context = try Shelf().context
        let entity = try #require(context.model.entity(named: "Book"))
        let query = StoreQuery(
            request: StoreRequest(entity: entity, order: [FetchOrder(.sum("pages"), ascending: false)]),
            columns: ["inPrint"], groupedBy: ["inPrint"],
            having: try FetchPredicate("@count > %d AND @avg.rating != nil", 3))
        let sql = try SQLSelect(query.request, model: context.model).rows(query).sql
        #expect(
            sql.text == """
                SELECT t0."inPrint" FROM "Book" AS t0 GROUP BY t0."inPrint" HAVING count(*) > ? \
                AND avg(t0."rating") IS NOT NULL ORDER BY sum(t0."pages") DESC, t0."inPrint"
                """)
        #expect(sql.bindings == [.integer(3)])
    }
}
