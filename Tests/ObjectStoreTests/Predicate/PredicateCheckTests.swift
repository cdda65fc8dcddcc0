import CivilTime
import Testing

@testable import ObjectStore

@Suite struct PredicateCheckTests {
    /// A format with a mistake for the books of the guide, the offset of the mistake, and the message.
    static let mistakes: [(format: String, offset: Int, code: FetchPredicateError.Code, message: String)] = [
        (
            "titel == 'x'", 0, .unknownKey,
            "found the unknown key titel; if it is text, put it in quotes (at offset 0, expected a property of Book, perhaps title)"
        ),
        (
            "title == Bob", 9, .unknownKey,
            "found the unknown key Bob; if it is text, put it in quotes (at offset 9, expected a property of Book)"
        ),
        (
            "publisher.nam == 'x'", 0, .unknownKey,
            "found the unknown key nam (at offset 0, expected a property of Publisher, perhaps name)"
        ),
        ("pages == 1 AND title.x == 2", 15, .unknownKey, "nothing after the attribute title"),
        ("title.name.length == 2", 0, .unknownKey, "nothing after the attribute title"),
        ("authors.name == 'x'", 0, .type, "the to-many path authors.name; put ANY, ALL or NONE before it"),
        ("title == authors.name", 9, .type, "the to-many path authors.name"),
        ("authors == nil", 0, .type, "the to-many path authors"),
        ("ANY title == 'x'", 4, .type, "expected a to-many path after ANY"),
        (
            "title == 5", 6, .type,
            "text and an integer on the sides of ==; put text in quotes, and numbers without quotes"
        ),
        ("pages == '5'", 6, .type, "an integer and text"),
        ("published > 5", 10, .type, "write a date as CAST(seconds since 2001"),
        ("published > 'tomorrow'", 10, .type, "write a date as \"2026-11-20T17:42:29Z\""),
        ("inPrint == 'YES'", 8, .type, "a boolean and text"),
        ("publisher == SELF", 10, .type, "an object of Publisher and an object of Book"),
        ("SELF < 3", 5, .type, "it has no order"),
        ("pages BEGINSWITH 'x'", 0, .type, "expected text for BEGINSWITH"),
        ("title LIKE 5", 11, .type, "expected text for LIKE"),
        ("title ==[c] pages", 6, .type, "text and an integer"),
        ("pages ==[c] 5", 6, .type, "[c] or [d] without text"),
        ("pages BETWEEN 5", 14, .type, "a list of two bounds"),
        ("pages BETWEEN {1, 2, 3}", 15, .type, "a list of 3"),
        ("pages IN 5", 9, .type, "a list, a collection, or text around text"),
        ("pages IN {1, 'x'}", 6, .type, "an integer and text"),
        ("pages == {1}", 10, .type, "a list"),
        ("title + 1 == 2", 0, .type, "expected a number in arithmetic"),
        ("-title == 2", 1, .type, "after a minus sign"),
        ("sqrt(title) > 1", 5, .type, "expected a number for sqrt"),
        ("length(pages) > 1", 7, .type, "expected text for length"),
        ("modulus:by:(rating, 2) == 1", 12, .type, "expected an integer"),
        ("CAST(publisher, 'NSString') == 'x'", 5, .type, "cast to NSString"),
        ("authors.@sum.name > 1", 0, .type, "expected a number for @sum"),
        ("publisher.@count > 1", 0, .type, "expected a to-many path for @count"),
        (
            "SUBQUERY(publisher, $x, $x.name == 'a').@count > 1", 9, .type,
            "a to-many path to objects, or a list, in SUBQUERY"
        ),
        ("SUBQUERY(authors, $x, $y.name == 'a').@count > 1", 22, .unboundVariable, "$y, which has no value"),
        ("TERNARY(pages == 1, title, 2) == 3", 20, .type, "two values of one type in TERNARY"),
        ("title MATCHES '(a'", 14, .pattern, "malformed regular expression"),
        ("pages == $x", 9, .unboundVariable, "$x, which has no value; bind one to it"),
    ]

    @Test(arguments: mistakes)
    func checkReportsOffsetOfMistake(
        _ mistake: (format: String, offset: Int, code: FetchPredicateError.Code, message: String)
    ) throws {
        let model = try Guide.model()
        let book = try #require(model.entity(named: "Book"))
        let predicate = try FetchPredicate(mistake.format)
        let error = try #require(throws: FetchPredicateError.self) {
            try predicate.compiled(for: book, in: model)
        }
        #expect(error.offset == mistake.offset)
        #expect(error.code == mistake.code)
        #expect(error.description.contains(mistake.message), "\(error)")
    }

    @Test(arguments: [
        "pages == $x", "title BEGINSWITH $x", "pages BETWEEN $range", "title IN $list", "pages + $x > 5",
        "$x == $y",
        "SUBQUERY(authors, $a, $a.born > $year).@count > 0", "published BETWEEN {$from, $to}",
        "title LIKE[c] $pattern",
    ])
    func unboundVariablePassesCheckButNotCompilation(_ format: String) throws {
        let model = try Guide.model()
        let book = try #require(model.entity(named: "Book"))
        try FetchPredicate(format).check(against: book, in: model)
        #expect(throws: FetchPredicateError.self) {
            try FetchPredicate(format).compiled(for: book, in: model)
        }
    }

    @Test func constantIsReadAsTypeOfOtherSide() throws {
        let model = try Library.model()
        let cover = try #require(model.entity(named: "Cover"))
        for format in [
            "token == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'", "price == '+1.50'", "price == 1.5",
            "price == 2",
            "price IN {1, '2.0'}", "price < 2", "price BETWEEN {0.000015, 1e20}",
        ] {
            try FetchPredicate(format).check(against: cover, in: model)
        }
        #expect(throws: FetchPredicateError.self) {
            try FetchPredicate("token == 'x'").check(against: cover, in: model)
        }
        let mistakes = [
            ("price < 'x'", "NSDecimalNumber"), ("price < book.pages", "NSDecimalNumber"),
            ("price * 2 > 5", "CAST(…, \"NSNumber\") makes a double"), ("image < 'x'", "binary"),
        ]
        for (format, hint) in mistakes {
            let error = #expect(throws: FetchPredicateError.self) {
                try FetchPredicate(format).check(against: cover, in: model)
            }
            #expect(error?.description.contains(hint) == true, "\(format): \(String(describing: error))")
        }
    }

    @Test func messageContainsNoValue() throws {
        let model = try Guide.model()
        let book = try #require(model.entity(named: "Book"))
        let predicate = try FetchPredicate("pages == %@", "secret")
        let error = try #require(throws: FetchPredicateError.self) {
            try predicate.check(against: book, in: model)
        }
        #expect(!error.description.contains("secret"))
    }

    @Test(arguments: [
        ("titel", "title"), ("TITLE", "title"), ("page", "pages"), ("inprint", "inPrint"),
        ("autors", "authors"), ("x", nil), ("Robinson", nil),
    ])
    func nearestNameIsSuggested(_ sample: (word: String, name: String?)) throws {
        let book = try #require(try Guide.model().entity(named: "Book"))
        #expect(NearestName.of(sample.word, among: book.propertyNames) == sample.name)
    }

    /// P5: A compiled predicate refuses an object of another entity.
    @Test func objectOfAnotherEntityIsRefused() throws {
        let shelf = try Guide.Shelf()
        let model = shelf.context.model
        let publisher = try #require(
            try shelf.context.fetch(FetchRequest<ManagedObject>(entity: "Publisher")).first)
        for format in [
            "pages > 5", "published == nil", "title BEGINSWITH 'x'", "authors.@count > 0", "TRUEPREDICATE",
        ] {
            let compiled = try FetchPredicate(format).compiled(for: shelf.book, in: model)
            let error = try #require(throws: FetchPredicateError.self) { try compiled.matches(publisher) }
            #expect(error.found == "an object of Publisher" && error.expected.hasPrefix("an object of Book,"))
            #expect(throws: FetchPredicateError.self) {
                try FetchPredicate(format).matches(publisher, of: shelf.book, in: model)
            }
        }
        let compiled = try FetchPredicate("pages > 5").compiled(for: shelf.book, in: model)
        let other = try Guide.Shelf()
        let error = try #require(throws: FetchPredicateError.self) { try compiled.matches(other.books[0]) }
        #expect(error.found == "an object of Book of another model")
    }

    /// P5: A predicate is not compiled or checked for an entity of another model.
    @Test func entityOfAnotherModelIsRefused() throws {
        let book = try #require(try Guide.model().entity(named: "Book"))
        for model in [try Guide.model(), try Library.model(), try ManagedObjectModel(entities: [])] {
            let error = try #require(throws: FetchPredicateError.self) {
                try FetchPredicate("pages > 5").compiled(for: book, in: model)
            }
            #expect(error.found == "the entity Book of another model")
            #expect(throws: FetchPredicateError.self) {
                try FetchPredicate("pages > 5").check(against: book, in: model)
            }
        }
    }

    /// R3: A long key gets no suggestion, for any names.
    @Test func longKeyHasNoSuggestion() {
        let name = String(repeating: "a", count: 300)
        #expect(NearestName.of(name, among: [name]) == nil)
        #expect(NearestName.of("aaa", among: [name, "aab"]) == "aab")
    }
}
