import ObjectStore
import Testing

/// Predicates that are built from the properties of classes equal those of their formats.
@Suite struct PredicateTypedTests {
    private func check(_ format: String, _ condition: (Keys<Book>) -> FetchPredicate) throws {
        let predicate = FetchPredicate(Book.self, condition)
        #expect(predicate == (try FetchPredicate(format)), "\(predicate) is not \(format)")
        let model = try Library.model()
        try predicate.check(against: try #require(model.entity(named: "Book")), in: model)
    }

    @Test func attributesAreCompared() throws {
        try check("title == 'Emma'") { $0.title == "Emma" }
        try check("pages != 12") { $0.pages != 12 }
        try check("isbn == nil") { $0.isbn == nil }
        try check("rating > 4.5") { $0.rating > 4.5 }
        try check("rating <= 4.5") { $0.rating <= 4.5 }
        try check("pages BETWEEN {1, 9}") { $0.pages.isBetween(1, and: 9) }
        try check("pages IN {1, 9}") { $0.pages.isIn([1, 9]) }
        try check("title != title") { $0.title != $0.title }
    }

    @Test func textIsSearched() throws {
        try check("title BEGINSWITH[c] 'em'") { $0.title.begins(with: "em", options: .caseInsensitive) }
        try check("isbn CONTAINS '12'") { $0.isbn.contains("12") }
        try check("title CONTAINS[search] 'a b*'") { $0.title.contains(words: "a b*") }
        try check("title ENDSWITH 'a'") { $0.title.ends(with: "a") }
        try check("title LIKE 'e*'") { $0.title.isLike("e*") }
        try check("title MATCHES 'e+'") { $0.title.matches("e+") }
        try check("title ==[d] 'e'") { $0.title.equals("e", options: .diacriticInsensitive) }
    }

    @Test func relationshipsAreFollowed() throws {
        try check("publisher.name == 'x'") { $0.publisher.name == "x" }
        try check("publisher == nil") { $0.publisher == nil }
        try check("cover.book.publisher.name == 'x'") { $0.cover.book.publisher.name == "x" }
        try check("ANY authors.name == 'x'") { $0.authors.any.name == "x" }
        try check("ALL authors.born > 1900") { $0.authors.all.born > 1900 }
        try check("NONE authors.name LIKE 'x*'") { $0.authors.none.name.isLike("x*") }
        try check("authors.@count > 1") { $0.authors.count > 1 }
        try check("authors.@min.born < 1900") { $0.authors.min(\.born) < 1900 }
        try check("publisher.books.@max.pages >= 9") { $0.publisher.books.max(\.pages) >= 9 }
        try check("publisher.books.@avg.rating > 3.5") { $0.publisher.books.average(\.rating) > 3.5 }
    }

    @Test func keyOfRelatedObjectIsOptional() throws {
        try check("publisher.name == nil") { $0.publisher.name == nil }
        try check("publisher.site != nil") { $0.publisher.site != nil }
        try check("title == publisher.name") { $0.title == $0.publisher.name }
        try check("publisher.name == title") { $0.publisher.name == $0.title }
        try check("isbn IN {'a', 'b'}") { $0.isbn.isIn(["a", "b"].map(\.self)) }
        try check("publisher.id == 3") { $0.publisher.id == 3 }
        try check("id IN {1, 2}") { $0.id.isIn([1, 2]) }
    }

    @Test func keysHaveFunctions() throws {
        try check("length(title) > 3") { $0.title.length > 3 }
        try check("length(isbn) == nil OR length(isbn) < 10") { $0.isbn.length == nil || $0.isbn.length < 10 }
        try check("lowercase(title) == 'emma'") { $0.title.lowercased() == "emma" }
        try check("uppercase(publisher.name) BEGINSWITH 'M'") {
            $0.publisher.name.uppercased().begins(with: "M")
        }
        try check("ANY authors.name == 'x' OR SUBQUERY(authors, $x, length($x.name) > 9).@count > 0") {
            $0.authors.any.name == "x" || $0.authors.any.name.length > 9
        }
    }

    @Test func keysAreCalculatedWith() throws {
        try check("pages * 2 + 1 > 9") { $0.pages * 2 + 1 > 9 }
        try check("2 * pages - 1 < pages") { 2 * $0.pages - 1 < $0.pages }
        try check("(pages + 1) * 2 == 8") { ($0.pages + 1) * 2 == 8 }
        try check("rating / 2.0 >= 1.5") { $0.rating / 2 >= 1.5 }
        try check("-pages < 0") { -$0.pages < 0 }
        try check("pages + publisher.books.@max.pages > 1000") {
            $0.pages + $0.publisher.books.max(\.pages) > 1000
        }
        try check("published - 60.0 > published") { $0.published - 60 > $0.published }
        try check("published - published == 0.0") { $0.published - $0.published == 0 }
        try check("published + pages > published") { $0.published + $0.pages > $0.published }
        try check("SUBQUERY(authors, $x, $x.born + 20 == 1800).@count == 0") {
            $0.authors.none.born + 20 == 1800
        }
        let date = Timestamp(secondsSince1970: 0)
        try check("CAST('1970-01-01T00:00:00Z', 'NSDate') - published > 5.0") { date - $0.published > 5 }
    }

    @Test func emptyCollectionIsCondition() throws {
        try check("authors.@count == 0") { $0.authors.isEmpty }
        try check("NOT authors.@count == 0") { !$0.authors.isEmpty }
        try check("SUBQUERY(authors, $x, $x.books.@count == 0).@count > 0") { $0.authors.any.books.isEmpty }
    }

    @Test func optionalBooleanIsCondition() throws {
        #expect(Cover.where { $0.book.inPrint }.predicate == (try FetchPredicate("book.inPrint == YES")))
        #expect(Cover.where { !$0.book.inPrint }.predicate == (try FetchPredicate("NOT book.inPrint == YES")))
        try check("cover.book.inPrint == YES AND inPrint == YES") { $0.cover.book.inPrint && $0.inPrint }
        try check("inPrint == NO OR NOT cover.book.inPrint == YES") { !$0.inPrint || !$0.cover.book.inPrint }
    }

    @Test func conditionOfRelatedObjectFollowsRelationship() throws {
        let isPrinted = { (book: Keys<Book>) in book.inPrint && book.publisher.name != "x" }
        try check("cover.book.inPrint == YES AND cover.book.publisher.name != 'x'") {
            $0.cover.book.satisfies(isPrinted)
        }
        #expect(
            Author.where { isPrinted($0.books.none) }.predicate
                == (try FetchPredicate("NONE books.inPrint == YES AND NONE books.publisher.name != 'x'")))
    }

    @Test func booleanPropertyIsCondition() throws {
        try check("inPrint == YES AND pages > 3") { $0.inPrint && $0.pages > 3 }
        try check("inPrint == NO OR pages > 3") { !$0.inPrint || $0.pages > 3 }
        try check("pages > 3 AND inPrint == YES") { $0.pages > 3 && $0.inPrint }
        try check("cover.book.inPrint == NO") { $0.cover.book.inPrint == false }
        #expect(Book.where { $0.inPrint }.predicate == (try FetchPredicate("inPrint == YES")))
        #expect(Book.where { !$0.inPrint }.predicate == (try FetchPredicate("inPrint == NO")))
        #expect(
            Author.where { !$0.books.any.inPrint }.predicate
                == (try FetchPredicate("NOT ANY books.inPrint == YES")))
    }

    @Test func elementsAreCountedByCondition() throws {
        try check("SUBQUERY(authors, $x, $x.born > 1900 AND $x.name != 'a').@count > 1") {
            $0.authors.count { $0.born > 1900 && $0.name != "a" } > 1
        }
        try check("SUBQUERY(authors, $x, SUBQUERY($x.books, $xx, $xx.pages > 3).@count > 0).@count > 0") {
            $0.authors.contains { $0.books.contains { $0.pages > 3 } }
        }
    }

    @Test func variablesAreComparedWithProperties() throws {
        try check("pages < $most AND isbn != $isbn") {
            $0.pages < .variable("most") && $0.isbn != .variable("isbn")
        }
    }

    @Test func typedPredicateIsPrintedAndRead() throws {
        let requests = [
            Book.where {
                $0.pages > 3 && !$0.inPrint || $0.title.begins(with: "a", options: .caseInsensitive)
            },
            Book.where { $0.publisher.books.max(\.rating) >= 4.5 && $0.published == nil },
            Book.where { $0.authors.any.born < 1900 }.where { $0.isbn != nil },
            Book.where { $0.cover == nil && $0.authors.contains { $0.name == "x" } },
        ]
        for request in requests {
            #expect(try FetchPredicate(request.predicate.format) == request.predicate)
        }
    }

    @Test func conditionsAreCombined() throws {
        try check("title == 'a' AND pages > 1 AND NOT inPrint == YES") {
            $0.title == "a" && $0.pages > 1 && !($0.inPrint == true)
        }
        try check("title == 'a' OR (pages > 1 AND pages < 5) OR isbn != nil") {
            $0.title == "a" || ($0.pages > 1 && $0.pages < 5) || $0.isbn != nil
        }
        let parts =
            try FetchPredicate("title == 'a'") && FetchPredicate("pages == 1") && FetchPredicate("pages == 2")
        #expect(parts.format == "title == \"a\" AND pages == 1 AND pages == 2")
    }

    @Test func typedPredicateFetchesObjects() throws {
        let directory = TemporaryStore()
        let context = try directory.context()
        let publisher: Publisher = try context.insert()
        publisher.name = "Murray"
        let book: Book = try context.insert()
        book.title = "Emma"
        book.publisher = publisher
        try context.save()
        let found = try context.fetch(
            Book.where { $0.publisher == publisher && $0.title == "Emma" })
        #expect(found == [book])
        #expect(try FetchPredicate(Publisher.self) { $0.books.contains(book) }.matches(publisher))
        #expect(try !FetchPredicate("books.@count == 0").matches(publisher))
    }
}
