import ObjectStore
import Testing

@Suite struct RowTests {
    let shelf: Shelf

    init() throws {
        shelf = try Shelf()
    }

    private func table(_ rows: FetchedRows) -> [[AttributeValue]] {
        rows.map { Array($0.values) }
    }

    @Test func chosenColumns() throws {
        let rows = try shelf.context.rows(
            FetchRequest<Book>(matching: try FetchPredicate("pages > 400"), orderedBy: [FetchOrder("pages")]),
            of: ["id", "title", "publisher.name", "publisher", "inPrint"])
        #expect(
            table(rows) == [
                [.integer(1), .string("Emma"), .string("Murray"), .integer(1), .boolean(true)],
                [.integer(4), .string("Mansfield Park"), .string("Egerton"), .integer(2), .boolean(true)],
            ])
        #expect(rows[1]["title"] == .string("Mansfield Park"))
        #expect(rows[1]["pages"] == nil)
        #expect(rows[0, 2] == .string("Murray"))
    }

    @Test func distinctRows() throws {
        let rows = try shelf.context.rows(
            FetchRequest<Book>(orderedBy: [FetchOrder("publisher.name")]), of: ["publisher.name"],
            distinct: true)
        #expect(table(rows) == [[.null], [.string("Egerton")], [.string("Murray")]])
    }

    @Test func aggregatesOfAll() throws {
        let columns: [FetchColumn] = [
            .count, .sum("pages"), .average("rating"), .min("title"), .max("published"), .sum("rating"),
        ]
        let rows = try shelf.context.rows(FetchRequest<Book>(), of: columns)
        let year = Timestamp(secondsSince1970: -70 * 31_556_952)
        #expect(
            table(rows) == [
                [.integer(5), .integer(1222), .double(3.25), .string("Emma"), .date(year), .double(13)]
            ])
        let none = try shelf.context.rows(FetchRequest<Book>(matching: .none), of: columns)
        #expect(table(none) == [[.integer(0), .null, .null, .null, .null, .null]])
    }

    @Test func groups() throws {
        let rows = try shelf.context.rows(
            FetchRequest<Book>(), of: ["publisher.name", .count, .sum("pages")], groupedBy: ["publisher.name"]
        )
        #expect(
            table(rows) == [
                [.null, .integer(2), .integer(19)], [.string("Egerton"), .integer(1), .integer(480)],
                [.string("Murray"), .integer(2), .integer(723)],
            ])
    }

    @Test func unsavedChangesCount() throws {
        let emma = try #require(try shelf.context.object(of: Book.self, id: 1))
        emma.pages = 1000
        let rows = try shelf.context.rows(FetchRequest<Book>(), of: [.max("pages")])
        #expect(table(rows) == [[.integer(1000)]])
    }

    @Test func whatHasNoMeaningIsRefused() throws {
        let context = shelf.context
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: [.sum("title")]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: ["title", .count]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Cover>(), of: [.max("price")]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: ["authors"]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: []) }
    }

    // MARK: - Streams

    @Test func aStreamKeepsItsState() throws {
        let context = shelf.context
        let stream = try context.stream(FetchRequest<Book>(orderedBy: [FetchOrder("id")]), of: ["title"])
        #expect(try stream.next()?[0] == .string("Emma"))
        try #require(try context.object(of: Book.self, id: 2)).title = "changed"
        try context.delete(try #require(try context.object(of: Book.self, id: 3)))
        try context.insert(Book.self).title = "new"
        try context.save()
        var rest: [AttributeValue] = []
        while let row = try stream.next() { rest.append(row[0]) }
        #expect(rest == [.string("emma"), .string("Persuasion"), .string("Mansfield Park"), .string("Éire")])
        #expect(try stream.next() == nil)
        #expect(try context.count(FetchRequest<Book>()) == 5)
    }

    @Test func aStreamOfObjectsGivesThemAsTheyAre() throws {
        let context = shelf.context
        let stream = try context.stream(FetchRequest<Book>(orderedBy: [FetchOrder("id")]))
        let first = try #require(try stream.next())
        #expect(first === (try context.object(of: Book.self, id: 1)))
        try #require(try context.object(of: Book.self, id: 2)).title = "changed"
        try context.delete(try #require(try context.object(of: Book.self, id: 3)))
        try context.save()
        var rest: [String] = []
        while let book = try stream.next() { rest.append(book.title) }
        #expect(rest == ["changed", "Mansfield Park", "Éire"])
    }
}
