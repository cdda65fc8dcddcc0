import Testing

@testable import ObjectStore

/// Input that exceeds a limit causes an error in little time, and never a trap.
@Suite struct PredicateLimitTests {
    static let hostile: [String] = [
        String(repeating: "(", count: 10_000),
        String(repeating: "(", count: 10_000) + "a == 1" + String(repeating: ")", count: 10_000),
        String(repeating: "NOT ", count: 100_000) + "a == 1",
        String(repeating: "-", count: 100_000) + "1 == a",
        String(repeating: "{", count: 100_000), String(repeating: "abs(", count: 100_000),
        String(repeating: "!", count: 100_000),
        "a == " + String(repeating: "1 + ", count: 100_000) + "1",
        "a == " + String(repeating: "2 ** ", count: 100_000) + "1",
        "a == " + String(repeating: "2 * ", count: 100_000) + "1",
        String(repeating: "TERNARY(", count: 10_000),
        String(repeating: "SUBQUERY(a, $x, ", count: 10_000), String(repeating: "a.", count: 500_000),
        String(repeating: "a", count: 1_000_000),
        String(repeating: "'", count: 1_000_000), "'" + String(repeating: "x", count: 1_000_000),
        "a == '" + String(repeating: "\\", count: 1_000_001),
        String(repeating: "9", count: 1_000_000), String(repeating: "a == 1 AND ", count: 90_000),
        String(repeating: "%@", count: 500_000),
        "a IN {" + String(repeating: "1,", count: 500_000), String(repeating: "\u{0}", count: 1_000_000),
        String(repeating: "\u{1F600}", count: 250_000),
        String(repeating: "a\u{301}", count: 300_000), String(repeating: "CAST(", count: 100_000),
        String(repeating: "ANY ", count: 250_000),
    ]

    /// Without a limit, a format with a cost that grows faster than its length would take hours. The time
    /// limit only has to stop that.
    @Test(.timeLimit(.minutes(5)), arguments: hostile.indices)
    func hostileFormatFailsPromptly(_ index: Int) throws {
        let error = try #require(throws: FetchPredicateError.self) {
            try FetchPredicate(Self.hostile[index])
        }
        #expect(error.description.utf8.count < 2_000)
    }

    @Test func megabyteOfConditionsIsReadAndPrinted() throws {
        let format = Array(repeating: "pages == 12", count: 60_000).joined(separator: " OR ")
        let predicate = try FetchPredicate(format)
        #expect(predicate.format == format)
    }

    @Test func predicateOfOverTenThousandNodesIsRefused() throws {
        let shelf = try Guide.Shelf()
        let some = Array(repeating: "pages == 288", count: 3_000).joined(separator: " OR ")
        #expect(try shelf.idsInSQL(some) == [3])
        #expect(try shelf.idsInMemory(some) == [3])
        let many = Array(repeating: "pages == 288", count: 4_000).joined(separator: " OR ")
        #expect(throws: FetchPredicateError.self) { try shelf.idsInSQL(many) }
        #expect(throws: FetchPredicateError.self) { try shelf.idsInMemory(many) }
    }

    @Test func longListIsAccepted() throws {
        let shelf = try Guide.Shelf()
        let numbers = (0..<40_000).map { Int64($0) }
        let numbered = try FetchPredicate("pages IN %@", numbers)
        #expect(try shelf.context.count(FetchRequest<ManagedObject>(entity: "Book", matching: numbered)) == 5)
        let ratings = try FetchPredicate("rating IN %@", numbers.map { Double($0) + 0.5 })
        #expect(try shelf.context.ids(FetchRequest<ManagedObject>(entity: "Book", matching: ratings)) == [1])
        let texts = numbers.map { "text \"\($0)\" \\" } + ["emma", "\u{0}"]
        let titled = try FetchPredicate("title IN %@", texts)
        #expect(try shelf.context.ids(FetchRequest<ManagedObject>(entity: "Book", matching: titled)) == [2])
    }

    @Test func overlongPatternIsRefused() throws {
        let pattern = String(repeating: "a", count: 100_000)
        #expect(throws: FetchPredicateError.self) {
            try FetchPredicate("title MATCHES %@", pattern).check(
                against: Guide.Shelf().book, in: Guide.model())
        }
    }

    @Test(arguments: ["(a+)+b", "(a|a)*b"])
    func catastrophicExpressionFailsInBothExecutions(_ pattern: String) throws {
        let shelf = try Guide.Shelf()
        try shelf.books[0].setValue(.string(String(repeating: "a", count: 100) + "cb"), of: "title")
        let format = "title MATCHES '\(pattern)'"
        let error = try #require(throws: FetchPredicateError.self) { try shelf.idsInMemory(format) }
        #expect(error.code == .pattern)
        let failure = try #require(throws: FetchPredicateError.self) { try shelf.idsInSQL(format) }
        #expect(failure == error)
        // The next statement does not report the error of the last one.
        #expect(try shelf.idsInSQL("title MATCHES 'emm.'") == [2])
    }

    // MARK: - Nesting

    static let towers: [@Sendable (FetchPredicate.Node) -> FetchPredicate.Node] = [
        { .not($0) },
        { .and([.comparison(one), $0]) },
        { .or([.and([.comparison(one), $0]), .comparison(one)]) },
        {
            .comparison(
                FetchPredicate.Comparison(
                    .conditional($0, .key("pages"), .value(.integer(1))), .equal, .key("pages")))
        },
        { node in .comparison(FetchPredicate.Comparison(.value(.integer(0)), .less, count(node))) },
    ]

    static let one = FetchPredicate.Comparison(.key("pages"), .less, .value(.integer(1_000)))

    static func count(_ node: FetchPredicate.Node) -> FetchPredicate.Expression {
        let subquery = FetchPredicate.Subquery(
            FetchPredicate.Path("publisher.books"), variable: "x", where: node)
        return .aggregate(
            FetchPredicate.Aggregate(.count, of: FetchPredicate.Path(root: .subquery(subquery))))
    }

    /// The parser of SQLite accepts every predicate that passes the check, at any depth.
    @Test(arguments: towers.indices)
    func checkedPredicateIsNotTooDeepForSQL(_ index: Int) throws {
        let shelf = try Guide.Shelf()
        var node = FetchPredicate.Node.comparison(Self.one)
        var levels = 0
        while levels < 1_000 {
            let taller = Self.towers[index](node)
            guard (try? FetchPredicate(taller).check(against: shelf.book, in: shelf.context.model)) != nil
            else { break }
            node = taller
            levels += 1
        }
        #expect((5...64).contains(levels))
        let request = FetchRequest<ManagedObject>(entity: "Book", matching: FetchPredicate(node))
        _ = try shelf.context.ids(request)
        #expect(try FetchPredicate(FetchPredicate(node).format) == FetchPredicate(node))
    }

    /// Predicates of a book with operands that become arguments of an SQL function, because of their type or
    /// the options.
    static let towersInFunctions: [@Sendable (FetchPredicate.Node) -> FetchPredicate.Node] = [
        { node in
            .comparison(
                FetchPredicate.Comparison(
                    .key("cover.price"), .less,
                    .conditional(node, .value(.decimal("1.5")), .key("cover.price"))))
        },
        { node in
            let price = FetchPredicate.Expression.conditional(
                node, .value(.decimal("1.5")), .key("cover.price"))
            return .comparison(
                FetchPredicate.Comparison(.key("cover.price"), .between, .list([.value(.integer(1)), price])))
        },
        { node in
            let subquery = FetchPredicate.Subquery(
                FetchPredicate.Path("publisher.books"), variable: "x", where: node)
            let path = FetchPredicate.Path(root: .subquery(subquery), keys: ["cover", "price"])
            let sum = FetchPredicate.Expression.aggregate(FetchPredicate.Aggregate(.sum, of: path))
            return .comparison(FetchPredicate.Comparison(.value(.integer(0)), .less, sum))
        },
        { node in
            .comparison(
                FetchPredicate.Comparison(
                    .key("title"), .less, .conditional(node, .value(.string("a")), .key("title")),
                    options: .caseInsensitive))
        },
    ]

    @Test(arguments: towersInFunctions.indices)
    func checkedPredicateIsNotTooDeepInFunctions(_ index: Int) throws {
        let context = try TemporaryStore().context()
        let book = try #require(context.model.entity(named: "Book"))
        var node = FetchPredicate.Node.comparison(Self.one)
        var levels = 0
        while levels < 1_000 {
            let taller = Self.towersInFunctions[index](node)
            guard (try? FetchPredicate(taller).check(against: book, in: context.model)) != nil else { break }
            node = taller
            levels += 1
        }
        #expect((5...64).contains(levels))
        _ = try context.ids(FetchRequest<Book>(matching: FetchPredicate(node)))
    }

    static let chains: [@Sendable (FetchPredicate.Expression) -> FetchPredicate.Expression] = [
        { .arithmetic(.add, $0, .key("pages")) }, { .arithmetic(.add, .key("pages"), $0) },
        { .arithmetic(.power, .key("pages"), $0) },
        { .negation($0) }, { .function(.absolute, [$0]) }, { .function(.modulus, [.key("pages"), $0]) },
        { .cast($0, .number) },
        { .conditional(.comparison(one), .key("pages"), $0) },
    ]

    @Test(arguments: chains.indices)
    func checkedPredicateIsNotTooLongForSQL(_ index: Int) throws {
        let shelf = try Guide.Shelf()
        var expression = FetchPredicate.Expression.key("pages")
        func predicate(_ side: FetchPredicate.Expression) -> FetchPredicate {
            FetchPredicate(.comparison(FetchPredicate.Comparison(.value(.integer(7)), .less, side)))
        }
        var levels = 0
        while levels < 1_000 {
            let longer = Self.chains[index](expression)
            guard (try? predicate(longer).check(against: shelf.book, in: shelf.context.model)) != nil else {
                break
            }
            expression = longer
            levels += 1
        }
        #expect((5...64).contains(levels))
        _ = try shelf.context.ids(
            FetchRequest<ManagedObject>(entity: "Book", matching: predicate(expression)))
    }

    @Test func deepPredicateBuiltInSwiftIsRefused() throws {
        var predicate = FetchPredicate(.comparison(Self.one))
        for _ in 0..<2_000 { predicate = !predicate }
        #expect(throws: FetchPredicateError.self) {
            try predicate.check(against: Guide.Shelf().book, in: Guide.model())
        }
    }
}
