import CivilTime
import ObjectStore
import Testing

@Suite struct PredicatePlanTests {
    /// A format, and the step of the query plan that finds its rows.
    static let plans: [(format: String, step: String)] = [
        ("title == 'Emma'", "USING INDEX Book title (title=?)"),
        ("title == 'E\\u0301mile'", "USING INDEX Book title (title=?)"),
        ("title IN {'Emma', 'Persuasion'}", "USING INDEX Book title (title=?)"),
        ("title BEGINSWITH 'Em'", "USING INDEX Book title (title>? AND title<?)"),
        ("title LIKE 'Em*'", "USING INDEX Book title (title>? AND title<?)"),
        ("title LIKE 'E?m*a'", "USING INDEX Book title (title>? AND title<?)"),
        ("title > 'Em'", "USING INDEX Book title (title>?)"),
        ("title BETWEEN {'E', 'F'}", "USING INDEX Book title (title>? AND title<?)"),
        ("title == nil", "USING INDEX Book title (title=?)"),
        ("inPrint == YES AND published <= $now", "USING INDEX Book published where"),
        ("publisher == 2", "(publisher=?)"),
        ("SELF == 3", "USING INTEGER PRIMARY KEY (rowid=?)"),
        ("publisher.name == 'x' AND title == 'y'", "USING INDEX Book title (title=?)"),
        ("title == 'x' OR publisher == 2", "MULTI-INDEX OR"),
        ("ANY publisher.books.pages > 5", "SEARCH t1 USING INDEX Book publisher (publisher=?)"),
        ("authors.@count > 1", "SEARCH t1 USING INTEGER PRIMARY KEY (rowid=?)"),
    ]

    @Test func predicatesUseIndexes() throws {
        let shelf = try Guide.Shelf()
        for plan in Self.plans {
            let predicate = try FetchPredicate(plan.format).binding([
                "now": .date(Timestamp(secondsSince1970: 0))
            ])
            let explanation = try shelf.context.explanation(
                of: FetchRequest<ManagedObject>(entity: "Book", matching: predicate))
            #expect("\(explanation)".contains(plan.step), "\(plan.format): \(explanation)")
        }
    }

    @Test(arguments: ["'; DROP TABLE \"Book\"; --", "\" OR 1 --", "x' OR 'a' = 'a", "??!", "\u{0}'", "%@"])
    func valuesNeverBecomeSQL(_ text: String) throws {
        let shelf = try Guide.Shelf()
        for predicate in [
            try FetchPredicate("title == %@", text),
            FetchPredicate(.key("title"), .beginsWith, .value(.string(text))),
            try FetchPredicate(FetchPredicate(.key("title"), .contains, .value(.string(text))).format),
            try FetchPredicate("title IN %@", [text, "y"]), try FetchPredicate("title LIKE %@", text),
        ] {
            let request = FetchRequest<ManagedObject>(entity: "Book", matching: predicate)
            #expect(try shelf.context.ids(request) == [])
        }
        #expect(try shelf.context.count(FetchRequest<ManagedObject>(entity: "Book")) == 5)
    }

    @Test func unknownKeysNeverReachSQL() throws {
        let shelf = try Guide.Shelf()
        for key in ["title\" OR 1 --", "title = 1", "rowid", "sqlite_schema", "\"id\""] {
            let predicate = FetchPredicate(.key(key), .equal, .value(.integer(1)))
            #expect(throws: FetchPredicateError.self, "\(key)") {
                try shelf.context.ids(FetchRequest<ManagedObject>(entity: "Book", matching: predicate))
            }
        }
    }
}
