import CivilTime
import Testing

@testable import ObjectStore

/// A request of a known shape is not translated again, and the result is the same.
@Suite struct TranslationCacheTests {
    let model: ManagedObjectModel
    var cache: TranslationCache

    init() throws {
        model = try Library.model()
        cache = TranslationCache(model: model)
    }

    private func request(
        _ format: String, _ arguments: [(any PredicateArgument)?] = [], of entity: String = "Book",
        limit: Int? = nil, offset: Int = 0
    ) throws -> StoreRequest {
        StoreRequest(
            entity: try #require(model.entity(named: entity)),
            predicate: try FetchPredicate(format: format, arguments: arguments), limit: limit, offset: offset)
    }

    /// Two requests, and whether the second uses the translation of the first.
    struct Pair: Sendable {
        let first: (format: String, arguments: [(any PredicateArgument & Sendable)?])
        let second: (format: String, arguments: [(any PredicateArgument & Sendable)?])
        let isShared: Bool

        init(
            _ format: String, _ first: (any PredicateArgument & Sendable)?,
            _ second: (any PredicateArgument & Sendable)?,
            _ isShared: Bool
        ) {
            self.first = (format, [first])
            self.second = (format, [second])
            self.isShared = isShared
        }

        init(_ first: String, _ second: String, _ isShared: Bool) {
            self.first = (first, [])
            self.second = (second, [])
            self.isShared = isShared
        }
    }

    /// Returns the format of a subquery whose variable has a name of the given length.
    private static func severalAuthors(_ length: Int, _ name: String = "%@") -> String {
        let variable = String(repeating: "a", count: length)
        return "SUBQUERY(authors, $\(variable), $\(variable).name == \(name)).@count > 1"
    }

    static let pairs = [
        Pair("title == %@", "Emma", "Persuasion", true),
        Pair("title ==[cd] %@", "ÉMMA", "persuasion", true),
        Pair("pages BETWEEN %@", [1, 300], [2, 400], true),
        Pair("pages IN %@", [1, 2], [3, 4], true),
        Pair("pages IN %@", [1, 2], [3, 4, 5], false),
        Pair("rating == %@", 4.5, nil, false),
        Pair("rating == %@", nil, 4.5, false),
        Pair("rating == %@", 4.5, Double.nan, false),
        // An integer beside a double is bound as a double.
        Pair("rating == %@", 4, 5, true),
        Pair("rating == %@", 4, 4.5, false),
        // A date that is passed as text is read each time.
        Pair("published < %@", "1900-01-01T00:00:00Z", "1950-01-01T00:00:00Z", true),
        Pair("title BEGINSWITH %@", "Em", "Pers", true),
        Pair("title BEGINSWITH %@", "Em", "", false),
        Pair("title BEGINSWITH %@", "", "Em", false),
        Pair("title BEGINSWITH %@", "Em", "\u{10FFFF}", false),
        Pair("title BEGINSWITH[c] %@", "Em", "", true),
        Pair("title CONTAINS %@", "mm", "rs", true),
        Pair("title CONTAINS %@", "mm", "", false),
        Pair("title LIKE %@", "E*", "*a", false),
        Pair("title LIKE[c] %@", "E*", "*a", true),
        Pair("title MATCHES %@", "E.*", "P.*", false),
        Pair("SUBQUERY(authors, $a, $a.name == %@).@count > 1", "Jane", "Emily", true),
        Pair(severalAuthors(254), "Jane", "Emily", true),
        Pair(severalAuthors(255), "Jane", "Emily", true),
        Pair(severalAuthors(254, "'x'"), severalAuthors(255, "'x'"), false),
        Pair(severalAuthors(300, "'x'"), severalAuthors(301, "'x'"), false),
        Pair("uppercase(title) == %@", "EMMA", "PERSUASION", true),
        // A literal in the format belongs to the shape.
        Pair("pages > 300", "pages > 300", true),
        Pair("pages > 300", "pages > 301", false),
        Pair("rating > 0.0", "rating > -0.0", false),
        Pair("title BEGINSWITH 'Em'", "title BEGINSWITH 'Em'", true),
        Pair("pages > 300 AND pages < 400", "pages > 300 OR pages < 400", false),
        Pair("NOT (pages > 300 AND inPrint == YES)", "NOT pages > 300 AND inPrint == YES", false),
        Pair("title == 'x'", "isbn == 'x'", false),
        Pair("title == 'x'", "title ==[c] 'x'", false),
        Pair("authors.@count > 1", "authors.@max.born > 1", false),
        Pair("ANY authors.name == 'x'", "NONE authors.name == 'x'", false),
        Pair("published < now()", "published < now()", false),
    ]

    @Test(arguments: pairs) mutating func translationIsSharedByRequestsOfOneShape(_ pair: Pair) throws {
        let first = try cache.statement(.objects, try request(pair.first.format, pair.first.arguments))
        let remembered = cache.count
        let request = try request(pair.second.format, pair.second.arguments)
        let second = try cache.statement(.objects, request)
        let isShared = remembered == 1 && cache.count == 1 && first.text == second.text
        #expect(isShared == pair.isShared)
        let fresh = try SQLSelect(request, model: model).objects()
        #expect(second.text == fresh.text)
        // The time of `now()` differs each time.
        if pair.second.format.contains("now") { return }
        #expect(second.bindings == fresh.bindings)
    }

    @Test mutating func translationIsNotSharedByOtherSubjectsEntitiesOrLimits() throws {
        let requests = [
            try request("name == %@", ["x"], of: "Author"), try request("name == %@", ["x"], of: "Publisher"),
            try request("name == %@", ["x"], of: "Author", limit: 3),
            try request("name == %@", ["x"], of: "Author", limit: 3, offset: 1),
        ]
        for request in requests {
            for subject in [SQLSelect.Subject.objects, .ids, .count] {
                _ = try cache.statement(subject, request)
            }
        }
        #expect(cache.count == 12)
        let statement = try cache.statement(
            .ids, try request("name == %@", ["y"], of: "Author", limit: 7, offset: 9))
        #expect(cache.count == 12)
        #expect(statement.bindings == [.string("y"), .integer(7), .integer(9)])
    }

    @Test mutating func translationIsNotSharedByOtherColumnsOrGroups() throws {
        let emma = try request("title == %@", ["Emma"])
        let subjects: [SQLSelect.Subject] = [
            .rows(of: ["title"], groupedBy: [], isDistinct: false),
            .rows(of: ["title", "publisher.name"], groupedBy: [], isDistinct: false),
            .rows(of: ["title"], groupedBy: [], isDistinct: true),
            .rows(of: ["title"], groupedBy: ["title"], isDistinct: false),
            .rows(of: ["title", .count], groupedBy: ["title"], isDistinct: false),
        ]
        let texts = try subjects.map { try cache.statement($0, emma).text }
        #expect(Set(texts).count == subjects.count && cache.count == subjects.count)
        let other = try request("title == %@", ["Persuasion"])
        for (subject, text) in zip(subjects, texts) {
            let statement = try cache.statement(subject, other)
            #expect(statement.text == text && statement.bindings == [.string("Persuasion")])
        }
        #expect(try cache.statement(subjects[4], other).types == [.string, .integer64])
        #expect(cache.count == subjects.count)
    }

    @Test mutating func cacheDropsOldestShape() throws {
        for number in 0..<TranslationCache.capacity * 2 {
            let request = try request("pages > \(number) AND title == %@", ["\(number)"])
            let statement = try cache.statement(.objects, request)
            #expect(statement.text.contains(" > \(number) AND"))
            #expect(statement.bindings == [.string("\(number)")])
            #expect(cache.count == min(number + 1, TranslationCache.capacity))
        }
    }

    @Test mutating func invalidRequestThrowsEachTime() throws {
        _ = try cache.statement(.ids, try request("published < %@", ["1900-01-01T00:00:00Z"]))
        let malformed = try request("published < %@", ["last year"])
        #expect(throws: FetchPredicateError.self) { try cache.statement(.ids, malformed) }
        let notText = try request("published < %@", [12])
        #expect(throws: FetchPredicateError.self) { try cache.statement(.ids, notText) }
        _ = try cache.statement(.ids, try request("title MATCHES %@", ["E.*"]))
        let unclosed = try request("title MATCHES %@", ["("])
        #expect(throws: FetchPredicateError.self) { try cache.statement(.ids, unclosed) }
    }

    @Test mutating func largeRequestsAreNotCached() throws {
        let long = String(repeating: "long ", count: 1000)
        _ = try cache.statement(.ids, try request("title == '\(long)'"))
        _ = try cache.statement(.ids, try request("pages IN %@", [Array(0..<300)]))
        #expect(cache.count == 0)
        _ = try cache.statement(.ids, try request("title == %@", [long]))
        #expect(cache.count == 1)
    }

    @Test mutating func deepRequestIsRefusedBeforeTranslation() throws {
        var path = FetchPredicate.Path("authors")
        for _ in 0..<20_000 {
            path = FetchPredicate.Path(
                root: .subquery(FetchPredicate.Subquery(path, variable: "x", where: .constant(true))))
        }
        let predicate = FetchPredicate(.aggregate(.init(.count, of: path)), .greater, .value(.integer(0)))
        let deep = StoreRequest(entity: try request("pages > 1").entity, predicate: predicate)
        #expect(throws: FetchPredicateError.self) { try cache.statement(.ids, deep) }
    }

    // MARK: - Through a store

    @Test func cacheServesAlternatingContextsAndValues() throws {
        let shelf = try Shelf()
        let other = ManagedObjectContext(coordinator: shelf.context.coordinator)
        func ids(_ context: ManagedObjectContext, _ format: String, _ argument: (any PredicateArgument)?)
            throws
            -> [Int64]
        {
            let predicate = try FetchPredicate(format: format, arguments: [argument])
            return try context.ids(FetchRequest<Book>(matching: predicate, orderedBy: [FetchOrder("id")]))
        }
        for _ in 0..<2 {
            #expect(try ids(shelf.context, "title == %@", "Emma") == [1])
            #expect(try ids(other, "title == %@", "Persuasion") == [3])
            #expect(try ids(shelf.context, "rating < %@", 4) == [4, 5])
            #expect(try ids(other, "rating < %@", 1.5) == [5])
            #expect(try ids(shelf.context, "rating == %@", nil) == [2])
            #expect(try ids(other, "rating == %@", 4) == [3])
        }
        // An unsaved change of one context is visible to that context only.
        try #require(try shelf.context.object(of: Book.self, id: 2)).title = "Emma"
        #expect(try ids(shelf.context, "title == %@", "Emma") == [1, 2])
        #expect(try ids(other, "title == %@", "Emma") == [1])
    }

    @Test func literalsUsePartialIndexes() throws {
        let shelf = try Shelf()
        func plan(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> String {
            let predicate = try FetchPredicate(format: format, arguments: arguments)
            return try shelf.context.explanation(of: FetchRequest<Book>(matching: predicate)).plan.joined()
        }
        for title in ["A", "M"] {
            _ = try plan("inPrint == %@ AND title > %@", true, title)
            #expect(
                try plan("inPrint == YES AND title > %@", title).contains("USING INDEX Book title where"))
            #expect(!(try plan("inPrint == NO AND title > %@", title).contains("USING INDEX Book title")))
        }
    }
}
