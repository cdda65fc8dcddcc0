import ObjectStore
import TestSupport
import Testing

/// Every kind of store returns the same rows in the same order as SQLite.
@Suite struct AgreementTests {
    let directory = TemporaryStore()

    private static let letters = [
        "a", "A", "b", "\u{E4}", "a\u{308}", "\u{DF}", "z", "\u{1F600}", "1", " ", "\u{FF21}",
    ]

    /// Prices in another order than that of their texts. The last one is not a price.
    private static let prices = ["9.5", "10", "-2", "-10.25", "0", "0.05", "100000000000000000000.1", "none"]

    /// A store of that kind with generated books, which are the same for the same seed.
    private func filled(_ kind: TestedStore, seed: UInt64) throws -> ManagedObjectContext {
        var random = SplitMix(state: seed)
        let context = try kind.context(in: directory)
        let publishers = try (0..<4).map { index in
            let publisher = try context.insert(Publisher.self)
            publisher.name = "P\(index)\(Self.letters.randomElement(using: &random) ?? "")"
            return publisher
        }
        for index in 0..<80 {
            let book = try context.insert(Book.self)
            book.title = (0..<Int.random(in: 1...3, using: &random))
                .map { _ in Self.letters.randomElement(using: &random) ?? "" }.joined()
            book.pages = Int.random(in: 0...9, using: &random)
            book.inPrint = Bool.random(using: &random)
            book.rating =
                Bool.random(using: &random) ? Double(Int.random(in: 0...4, using: &random)) + 0.25 : nil
            book.published =
                Bool.random(using: &random)
                ? Timestamp(secondsSince1970: Double(Int.random(in: -3...3, using: &random))) : nil
            book.isbn = Bool.random(using: &random) ? "\(index)" : nil
            book.publisher = Bool.random(using: &random) ? publishers.randomElement(using: &random) : nil
            guard Bool.random(using: &random) else { continue }
            let cover = try context.insert(Cover.self)
            cover.image = [UInt8(index)]
            cover.price = Self.prices.randomElement(using: &random).flatMap(DecimalValue.init)
            cover.book = book
        }
        try context.save()
        return context
    }

    private static let orders: [[FetchOrder]] = [
        [], [FetchOrder("id", ascending: false)], [FetchOrder("title")],
        [FetchOrder("title", options: [.caseInsensitive, .diacriticInsensitive], ascending: false)],
        [FetchOrder("rating"), FetchOrder("pages", ascending: false)],
        [FetchOrder("pages", nilIsLast: true, zeroIsNil: true)],
        [FetchOrder("pages", ascending: false, zeroIsNil: true)], [FetchOrder("pages", zeroIsNil: true)],
        [FetchOrder("rating", ascending: false), FetchOrder("title")],
        [FetchOrder("publisher.name", options: .caseInsensitive), FetchOrder("published", ascending: false)],
        [FetchOrder("publisher"), FetchOrder("inPrint"), FetchOrder("id", ascending: false)],
        [FetchOrder("publisher.id", ascending: false), FetchOrder("isbn")],
        [FetchOrder("cover.price", ascending: false), FetchOrder("title")],
        [FetchOrder("cover.price", nilIsLast: true, zeroIsNil: true)],
    ]

    private static let formats = [
        "TRUEPREDICATE", "pages > 4 AND inPrint == YES", "publisher == 2", "publisher.name BEGINSWITH 'P1'",
        "id IN {3, 9, 27}", "id == 8", "isbn == '5'", "title CONTAINS[cd] 'a'", "rating == nil OR pages == 0",
        "SUBQUERY(publisher.books, $b, $b.pages > 7).@count > 2", "isbn ==[c] '7' AND pages < 100",
        "cover.price BETWEEN {-1.5, 10}",
    ]

    @Test(arguments: TestedStore.allCases.filter { $0 != .sqlite }, [1, 2] as [UInt64])
    func requestsAgreeWithSQLite(_ kind: TestedStore, _ seed: UInt64) throws {
        let expected = try filled(.sqlite, seed: seed)
        let tested = try filled(kind, seed: seed)
        for format in Self.formats {
            for order in Self.orders {
                for (limit, offset) in [(nil, 0), (5, 0), (3, 7), (nil, 70), (0, 0), (1000, 2)]
                    as [(Int?, Int)]
                {
                    let request = FetchRequest<Book>(
                        matching: try FetchPredicate(format), orderedBy: order, limit: limit, offset: offset)
                    // SQL has no order unless one is requested.
                    let isOrdered = !order.isEmpty || limit != nil || offset > 0
                    let ids = try [tested.ids(request), expected.ids(request)].map {
                        isOrdered ? $0 : $0.sorted()
                    }
                    #expect(ids[0] == ids[1], "\(format) \(order) \(String(describing: limit)) \(offset)")
                    #expect(try tested.count(request) == expected.count(request))
                }
            }
        }
    }

    @Test(arguments: TestedStore.allCases.filter { $0 != .sqlite }, [3, 4] as [UInt64])
    func rowsAgreeWithSQLite(_ kind: TestedStore, _ seed: UInt64) throws {
        let expected = try filled(.sqlite, seed: seed)
        let tested = try filled(kind, seed: seed)
        let aggregates: [FetchColumn] = [
            .count, .sum("pages"), .average("pages"), .sum("rating"), .average("rating"), .min("title"),
            .max("title"), .min("published"), .max("publisher.name"), .sum("inPrint"), .sum("cover.price"),
            .average("cover.price"), .min("cover.price"), .max("cover.price"),
        ]
        let groups: [[String]] = [
            [], ["inPrint"], ["publisher.name"], ["rating", "inPrint"], ["publisher.id"], ["cover.price"],
        ]
        for format in ["TRUEPREDICATE", "pages > 7", "FALSEPREDICATE"] {
            let request = FetchRequest<Book>(matching: try FetchPredicate(format))
            for group in groups {
                let columns = group.map { FetchColumn.key($0) } + aggregates
                try Self.compare(tested, expected) { try $0.rows(request, of: columns, groupedBy: group) }
                var ordered = request
                ordered.order = group.map { FetchOrder($0, ascending: false) }
                ordered.limit = 2
                ordered.offset = 1
                try Self.compare(tested, expected) { try $0.rows(ordered, of: columns, groupedBy: group) }
            }
            let byAll = ["rating", "inPrint"].map { FetchOrder($0, ascending: false) }
            let distinct = FetchRequest<Book>(
                matching: try FetchPredicate(format), orderedBy: byAll, limit: 4, offset: 1)
            try Self.compare(tested, expected) {
                try $0.rows(distinct, of: ["rating", "inPrint"], distinct: true)
            }
            let prices = FetchRequest<Book>(
                matching: try FetchPredicate(format), orderedBy: [FetchOrder("cover.price")], limit: 5)
            try Self.compare(tested, expected) { try $0.rows(prices, of: ["cover.price"], distinct: true) }
            let plain = FetchRequest<Book>(
                matching: try FetchPredicate(format), orderedBy: [FetchOrder("id")])
            try Self.compare(tested, expected) {
                try $0.rows(plain, of: ["id", "title", "publisher", "publisher.name", "published"])
            }
        }
    }

    private static let conditions = [
        "TRUEPREDICATE", "@count > 3", "@sum.pages >= 20 OR @avg.pages < 4", "@min.title BEGINSWITH[cd] 'a'",
        "@max.rating == nil", "NOT (@min.published < @max.published)", "@sum.cover.price > 0.5",
        "@max.cover.price > @min.cover.price OR @count IN {1, 2}", "@avg.rating BETWEEN {1, 3}",
        "@max.publisher.name >= 'P2'", "TERNARY(@count > 4, @sum.pages, @min.pages) < 12", "@count == 0",
    ]

    private static let groupOrders: [[FetchOrder]] = [
        [FetchOrder(.count, ascending: false)], [FetchOrder(.sum("pages")), FetchOrder(.count)],
        [FetchOrder("@avg.rating", nilIsLast: true)], [FetchOrder(.min("title"), options: .caseInsensitive)],
        [FetchOrder(.max("cover.price"), ascending: false)], [FetchOrder(.sum("pages"), zeroIsNil: true)],
    ]

    @Test(arguments: TestedStore.allCases.filter { $0 != .sqlite }, [5, 6] as [UInt64])
    func conditionsAndOrdersOfGroupsAgreeWithSQLite(_ kind: TestedStore, _ seed: UInt64) throws {
        let expected = try filled(.sqlite, seed: seed)
        let tested = try filled(kind, seed: seed)
        var sizes: Set<Int> = []
        for (position, format) in Self.conditions.enumerated() {
            let condition = try FetchPredicate(format)
            var request = FetchRequest<Book>(
                orderedBy: Self.groupOrders[position % Self.groupOrders.count])
            for group in [[], ["publisher.name"], ["rating", "inPrint"], ["pages"], ["cover.price"]] {
                let columns = group.map { FetchColumn.key($0) } + [.count, .max("cover.price")]
                for (limit, offset) in [(nil, 0), (2, 1)] as [(Int?, Int)] {
                    request.limit = limit
                    request.offset = offset
                    try Self.compare(tested, expected) {
                        let rows = try $0.rows(request, of: columns, groupedBy: group, having: condition)
                        sizes.insert(rows.count)
                        return rows
                    }
                }
            }
        }
        #expect(sizes.count > 5)
    }

    private static func compare(
        _ tested: ManagedObjectContext, _ expected: ManagedObjectContext,
        _ fetch: (ManagedObjectContext) throws -> FetchedRows
    ) throws {
        let rows = try [tested, expected].map { try fetch($0).map { Array($0.values) } }
        #expect(rows[0] == rows[1])
    }

    @Test(arguments: TestedStore.allCases)
    func invalidRequestsAreRefused(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let all = FetchRequest<Book>()
        for key in ["nothing", ""] {
            #expect(throws: FetchError.self) {
                try context.ids(FetchRequest<Book>(orderedBy: [FetchOrder(key)]))
            }
        }
        #expect(throws: FetchError.self) {
            try context.ids(FetchRequest<Book>(orderedBy: [FetchOrder("authors")]))
        }
        #expect(throws: FetchError.self) { try context.rows(all, of: []) }
        #expect(throws: FetchError.self) { try context.rows(all, of: ["title", .count]) }
        #expect(throws: FetchError.self) { try context.rows(all, of: [.sum("title")]) }
        #expect(throws: FetchPredicateError.self) {
            try context.ids(FetchRequest<Book>(matching: FetchPredicate("nothing == 1")))
        }
    }

    @Test func indexesAnswerSupportedPredicates() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let plans = try [
            "publisher == 1", "id == 4 AND pages > 0", "isbn == 'x'", "ANY authors == 1", "pages == 1",
        ].map {
            try context.explanation(of: FetchRequest<Book>(matching: FetchPredicate($0))).plan[0]
        }
        #expect(
            plans == [
                "look up Book by publisher", "look up one Book by its id", "look up Book by isbn",
                "look up Book by authors", "scan every Book",
            ])
    }
}
