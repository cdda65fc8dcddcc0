import CivilTime
import ObjectStore
import Testing

@Suite struct PredicateArgumentTests {
    let store = TemporaryStore()

    @Test func percentSignTakesValueOfEveryType() throws {
        let nothing: String? = nil
        let cases: [(FetchPredicate, String)] = [
            (try FetchPredicate("a == %@", "it's"), "a == \"it's\""),
            (try FetchPredicate("a == %@", "a\"b"), "a == \"a\\\"b\""),
            (try FetchPredicate("a == %@", 7), "a == 7"),
            (try FetchPredicate("a == %@", 7.5), "a == 7.5"),
            (try FetchPredicate("a == %@", true), "a == YES"),
            (try FetchPredicate("a == %@", nil), "a == nil"),
            (try FetchPredicate("a == %@", nothing), "a == nil"),
            (try FetchPredicate("a IN %@", [1, 2]), "a IN {1, 2}"),
            (try FetchPredicate("a IN %@", Set(["x"])), "a IN {\"x\"}"),
            (try FetchPredicate("a BETWEEN %@", 1...3), "a BETWEEN {1, 3}"),
            (try FetchPredicate("a == %@", AttributeValue.uri("x:y")), "a == CAST(\"x:y\", \"NSURL\")"),
            (
                try FetchPredicate("a > %@", Timestamp(secondsSince1970: 0)),
                "a > CAST(\"1970-01-01T00:00:00Z\", \"NSDate\")"
            ),
            (try FetchPredicate("%K == %@", "category.name", "x"), "category.name == \"x\""),
            (try FetchPredicate("%K.@count > %d", "toDos", 1), "toDos.@count > 1"),
            (try FetchPredicate("category.%K == 1", "in"), "category.#in == 1"),
            (try FetchPredicate("%K > 0", "toDos.@count"), "toDos.@count > 0"),
            (try FetchPredicate("%K > 0", "SELF.size"), "size > 0"),
            (
                try FetchPredicate("SUBQUERY(%K, $x, $x.%K == %@).@count > 0", "a", "b", 1),
                "SUBQUERY(a, $x, $x.b == 1).@count > 0"
            ),
            (try FetchPredicate("a == '%@' AND b == %@", 1), "a == \"%@\" AND b == 1"),
            (try FetchPredicate("a == %f", 2), "a == 2.0"),
        ]
        for (predicate, printed) in cases { #expect(predicate.format == printed) }
    }

    private enum Genre: String, AttributeValueConvertible {
        case novel, poetry
    }

    @Test func argumentMayHaveEveryPropertyType() throws {
        let id = ObjectID(entity: "Author", id: 7)
        let cases: [(FetchPredicate, String)] = [
            (try FetchPredicate("a == %@", Genre.poetry), "a == \"poetry\""),
            (try FetchPredicate("a IN %@", [Genre.novel, .poetry]), "a IN {\"novel\", \"poetry\"}"),
            (try FetchPredicate("a == %@", URIValue("x:y")), "a == CAST(\"x:y\", \"NSURL\")"),
            (try FetchPredicate("a == %@", DecimalValue("1.50")), "a == CAST(\"1.5\", \"NSDecimalNumber\")"),
            (try FetchPredicate("a == %@", [UInt8]([1, 255])), "a == CAST(\"01FF\", \"NSData\")"),
            (try FetchPredicate("author == %@", id), "author == 7"),
            (try FetchPredicate("SELF IN %@", [id]), "SELF IN {7}"),
            (try FetchPredicate("a == $g").binding(["g": Genre.novel]), "a == \"novel\""),
        ]
        for (predicate, printed) in cases { #expect(predicate.format == printed) }
    }

    /// An empty array can be cast to an array of any type, including `[UInt8]`.
    @Test func emptyArrayOfEveryTypeIsEmptyList() throws {
        let cases: [(FetchPredicate, String)] = [
            (try FetchPredicate("a IN %@", [] as [Int]), "a IN {}"),
            (try FetchPredicate("a IN %@", [] as [String]), "a IN {}"),
            (try FetchPredicate("a IN %@", [] as [Author]), "a IN {}"),
            (try FetchPredicate("a IN %@", [] as [AttributeValue]), "a IN {}"),
            (try FetchPredicate("a IN %@", Set<String>()), "a IN {}"),
            (try FetchPredicate("a IN $x").binding(["x": [] as [Int]]), "a IN {}"),
            (try FetchPredicate("a == %@", [] as [UInt8]), "a == CAST(\"\", \"NSData\")"),
        ]
        for (predicate, printed) in cases { #expect(predicate.format == printed) }
        let store = TemporaryStore()
        let context = try store.context()
        try context.insert(Author.self).name = "Jane"
        let byName = FetchRequest<Author>(matching: try FetchPredicate("name IN %@", [] as [String]))
        #expect(try context.count(byName) == 0)
        let others = FetchRequest<Author>(matching: try FetchPredicate("NOT SELF IN %@", [] as [Author]))
        #expect(try context.count(others) == 1)
    }

    @Test func objectArgumentIsComparedByID() throws {
        let store = TemporaryStore()
        let context = try store.context()
        let (austen, gaiman) = (try context.insert(Author.self), try context.insert(Author.self))
        (austen.name, gaiman.name) = ("Austen", "Gaiman")
        let (emma, stardust) = (try context.insert(Book.self), try context.insert(Book.self))
        (emma.title, stardust.title) = ("Emma", "Stardust")
        let murray = try context.insert(Publisher.self)
        murray.name = "Murray"
        emma.publisher = murray
        emma.authors.insert(austen)
        stardust.authors.insert(gaiman)
        let formats: [(String, any PredicateArgument)] = [
            ("SELF == %@", emma), ("SELF == %@", emma.objectID), ("publisher == %@", murray),
            ("authors CONTAINS %@", austen), ("ANY authors == %@", austen), ("NONE authors == %@", gaiman),
            ("ANY authors IN %@", [austen]), ("SELF IN %@", [emma]), ("SELF IN %@", murray.books),
            ("SUBQUERY(authors, $a, $a == %@).@count == 1", austen), ("NOT (%@ IN authors)", gaiman),
        ]
        for (format, argument) in formats {
            let predicate = try FetchPredicate(format, argument)
            #expect(try context.fetch(FetchRequest<Book>(matching: predicate)) == [emma], "\(format)")
            #expect(try predicate.matches(emma) && !predicate.matches(stardust), "\(format)")
        }
        #expect(try context.objects(of: Book.self, matching: "publisher", equals: murray) == [emma])
    }

    /// O9: An object is compared with objects of its entity only, in SQL and in memory.
    @Test func objectOfAnotherEntityIsRefused() throws {
        let context = try TestedStore.memory.shelf(in: TemporaryStore())
        let emma = try #require(try context.object(of: Book.self, matching: "title", equals: "Emma"))
        let publisher = try #require(emma.publisher)
        let author = try #require(try context.object(of: Author.self, id: publisher.id))
        let sqlite = TemporaryStore()
        let other = try TestedStore.sqlite.shelf(in: sqlite)
        let formats: [(String, any PredicateArgument)] = [
            ("publisher == %@", author), ("publisher == %@", author.objectID), ("publisher != %@", author),
            ("%@ == publisher", author), ("publisher IN %@", [author]), ("publisher IN %@", Set([author])),
            ("publisher IN %@", emma.authors), ("publisher IN %@", [publisher.objectID, author.objectID]),
            ("authors CONTAINS %@", publisher), ("ANY authors == %@", publisher),
            ("%@ IN authors", publisher),
            ("SELF == %@", author), ("id == %@", author), ("publisher.id == %@", author),
            ("SUBQUERY(authors, $a, $a == %@).@count == 1", publisher),
            ("pages == %@", emma), ("rating == %@", emma), ("pages IN %@", [author]),
        ]
        for (format, argument) in formats {
            // The same format with a number may be in the cache of the store.
            _ = try? other.count(FetchRequest<Book>(matching: try FetchPredicate(format, 1)))
            let predicate = try FetchPredicate(format, argument)
            for context in [context, other] {
                let error = #expect(throws: FetchPredicateError.self, "\(format)") {
                    try context.count(FetchRequest<Book>(matching: predicate))
                }
                #expect(error?.code == .type)
            }
            #expect(throws: FetchPredicateError.self, "\(format)") { try predicate.matches(emma) }
        }
        let error = #expect(throws: FetchPredicateError.self) {
            try context.count(FetchRequest<Book>(matching: FetchPredicate("publisher == %@", author)))
        }
        #expect(
            error?.description
                == "found an object of Publisher and an object of Author on the sides of ==; pass an object of "
                + "Publisher, or an id (at offset 10, expected two values that can be compared)")
        let unknown = ObjectID(entity: "Reader", id: 1)
        #expect(throws: FetchPredicateError.self) {
            try context.count(FetchRequest<Book>(matching: FetchPredicate("publisher == %@", unknown)))
        }
    }

    @Test func objectOfTheEntityAndAnIDAreAccepted() throws {
        let context = try TestedStore.sqlite.shelf(in: store)
        let emma = try #require(try context.object(of: Book.self, matching: "title", equals: "Emma"))
        let publisher = try #require(emma.publisher)
        let nothing: Publisher? = nil
        let formats: [(String, any PredicateArgument, Int)] = [
            ("publisher == %@", publisher, 2), ("publisher == %@", publisher.id, 2),
            ("publisher == %@", nothing, 2), ("publisher != %@", nothing, 3),
            ("publisher.id == %@", publisher, 2),
            ("id == %@", emma, 1), ("SELF IN %@", [emma, nil], 1), ("publisher IN %@", [publisher.id], 2),
            ("publisher == $p", publisher, 2),
        ]
        for (format, argument, count) in formats {
            let predicate =
                format.contains("$")
                ? try FetchPredicate(format).binding(["p": argument]) : try FetchPredicate(format, argument)
            #expect(try context.count(FetchRequest<Book>(matching: predicate)) == count, "\(format)")
        }
    }

    @Test(arguments: ["%d", "%i", "%u", "%ld", "%lld", "%lu", "%llu", "%hhd", "%zd", "%x"])
    func integerConversionsOfCTakeIntegers(_ conversion: String) throws {
        #expect(try FetchPredicate("a == \(conversion)", 5).format == "a == 5")
        #expect(throws: FetchPredicateError.self) { try FetchPredicate("a == \(conversion)", 5.5) }
        #expect(throws: FetchPredicateError.self) { try FetchPredicate("a == \(conversion)", "5") }
    }

    @Test(arguments: ["%f", "%lf", "%g", "%Lf"])
    func floatingConversionsOfCTakeNumbers(_ conversion: String) throws {
        #expect(try FetchPredicate("a == \(conversion)", 5.5).format == "a == 5.5")
        #expect(throws: FetchPredicateError.self) { try FetchPredicate("a == \(conversion)", "5") }
    }

    @Test func missingArgumentIsNamed() throws {
        let error = try #require(throws: FetchPredicateError.self) {
            try FetchPredicate("a == %@ AND b == %d", 1)
        }
        #expect(error.code == .argument)
        #expect(error.offset == 17)
        #expect(error.description == "found no argument (at offset 17, expected one for %d)")
    }

    @Test func excessArgumentsAreCounted() throws {
        let error = try #require(throws: FetchPredicateError.self) { try FetchPredicate("a == '%@'", 1, 2) }
        #expect(error.code == .argument)
        #expect(
            error.description == "found 2 arguments (at offset 9, expected 0, one for each % outside quotes)")
    }

    @Test func argumentOfWrongTypeIsNamed() throws {
        let error = try #require(throws: FetchPredicateError.self) { try FetchPredicate("%K == 1", 5) }
        #expect(error.description == "found an integer (at offset 0, expected the text of a key path for %K)")
        #expect(throws: FetchPredicateError.self) { try FetchPredicate("%K == 1", "a..b") }
        #expect(throws: FetchPredicateError.self) { try FetchPredicate("%K == 1", "") }
        #expect(throws: FetchPredicateError.self) { try FetchPredicate("a == %d", [1]) }
    }

    /// P4: A cast of a bound value prints as a format that reads back as an equal predicate.
    @Test(arguments: FetchPredicate.CastType.allCases)
    func castOfBoundValueReadsBack(type: FetchPredicate.CastType) throws {
        let values: [AttributeValue] = [
            .string("2026-11-20T17:42:29Z"), .string("abc"), .integer(-5), .double(1.5), .boolean(true),
            .null,
            .date(Timestamp(secondsSince1970: 0)), .decimal("9.99"), .binary([1, 2]), .uri("http://a/"),
            .uuid(UUIDValue(high: 1, low: 2)),
        ]
        for value in values {
            for format in [
                "a == CAST($v, \"\(type.rawValue)\")", "CAST(CAST($v, 'NSString'), '\(type.rawValue)') == a",
            ] {
                let bound = try FetchPredicate(format).binding(["v": value])
                #expect(try FetchPredicate(bound.format) == bound, "\(bound)")
            }
        }
    }

    @Test func variablesAreBoundAfterParsing() throws {
        let predicate = try FetchPredicate(
            "a > $low AND b IN $list AND SUBQUERY(c, $low, $low.d == $other).@count > 0")
        let bound = predicate.binding(["low": .integer(1), "other": .string("x")])
        #expect(bound.format == "a > 1 AND b IN $list AND SUBQUERY(c, $low, $low.d == \"x\").@count > 0")
        let list: [any PredicateArgument] = [["p", "q"]]
        #expect(bound.binding(["list": list[0]]).format.contains("b IN {\"p\", \"q\"}"))
    }
}
