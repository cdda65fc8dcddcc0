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

    @Test func rowsHaveChosenColumns() throws {
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

    @Test func rowsCountMembers() throws {
        let columns: [FetchColumn] = ["title", "authors.@count", "publisher.books.@count"]
        let books = try shelf.context.rows(
            FetchRequest<Book>(matching: try FetchPredicate("id <= 3"), orderedBy: [FetchOrder("id")]),
            of: columns)
        let expected = try (1...3).map { id in
            let book = try #require(try shelf.context.object(of: Book.self, id: Int64(id)))
            return [
                AttributeValue.string(book.title), .integer(Int64(book.authors.count)),
                .integer(Int64(book.publisher?.books.count ?? 0)),
            ]
        }
        #expect(table(books) == expected)
        #expect(Set(expected.map { $0[1] }).count > 1)
    }

    @Test func distinctRowsAreReturnedOnce() throws {
        let rows = try shelf.context.rows(
            FetchRequest<Book>(orderedBy: [FetchOrder("publisher.name")]), of: ["publisher.name"],
            distinct: true)
        #expect(table(rows) == [[.null], [.string("Egerton")], [.string("Murray")]])
    }

    @Test func aggregatesCoverAllRows() throws {
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

    final class Counter: ManagedObject {
        @Attribute("value") var value: Int64
    }

    /// An intermediate sum may exceed 64 bits, in any order. The final sum may not.
    @Test(arguments: TestedStore.allCases) func sumsOverflowOnlyAtTheEnd(_ kind: TestedStore) throws {
        let directory = TemporaryStore()
        let model = try ManagedObjectModel(entities: [
            EntityDescription("Counter", class: Counter.self, attributes: [.integer64("value", default: 0)])
        ])
        let context = try kind.context(in: directory, model)
        for value in [7, Int64.max, Int64.min, -1] { try context.insert(Counter.self).value = value }
        let all = FetchRequest<Counter>()
        #expect(try context.rows(all, of: [.sum("value")])[0][0] == .integer(5))
        let large = FetchRequest<Counter>(matching: try FetchPredicate("value > 0"))
        let error = #expect(throws: StoreError.self) { try context.rows(large, of: [.sum("value")]) }
        #expect(error?.description.contains("does not fit in 64 bits; add up fewer values") == true)
        let none = FetchRequest<Counter>(matching: .none)
        #expect(try context.rows(none, of: [.sum("value")])[0][0] == .null)
    }

    @Test func rowsAreGrouped() throws {
        let rows = try shelf.context.rows(
            FetchRequest<Book>(), of: ["publisher.name", .count, .sum("pages")], groupedBy: ["publisher.name"]
        )
        #expect(
            table(rows) == [
                [.null, .integer(2), .integer(19)], [.string("Egerton"), .integer(1), .integer(480)],
                [.string("Murray"), .integer(2), .integer(723)],
            ])
    }

    @Test func aggregatesIncludeUnsavedChanges() throws {
        let emma = try #require(try shelf.context.object(of: Book.self, id: 1))
        emma.pages = 1000
        let rows = try shelf.context.rows(FetchRequest<Book>(), of: [.max("pages")])
        #expect(table(rows) == [[.integer(1000)]])
    }

    @Test func meaninglessColumnsAreRefused() throws {
        let context = shelf.context
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: [.sum("title")]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: ["title", .count]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Cover>(), of: [.max("image")]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: ["authors"]) }
        #expect(throws: FetchError.self) { try context.rows(FetchRequest<Book>(), of: []) }
    }

    @Test func manyRowsKeepTheirOrder() throws {
        var rows = FetchedRows(columns: ["id", "title"])
        for row in 0..<3000 { rows.append { .integer(Int64(row * 10 + $0)) } }
        #expect(rows.count == 3000)
        for row in [0, 1023, 1024, 2047, 2048, 2999] {
            #expect(Array(rows[row].values) == [.integer(Int64(row * 10)), .integer(Int64(row * 10 + 1))])
            #expect(rows[row, 1] == .integer(Int64(row * 10 + 1)))
        }
        #expect(rows.map { $0[0] } == (0..<3000).map { .integer(Int64($0 * 10)) })
    }

    @Test func copyOfRowsKeepsItsOwnRows() throws {
        for count in [0, 1, 4, 5, 1023, 1024, 1025, 2048] {
            var rows = FetchedRows(columns: ["id", "title"])
            let add = { (rows: inout FetchedRows, id: Int, text: String) in
                rows.append { $0 == 0 ? .integer(Int64(id)) : .string("a text on the heap: \(text) \(id)") }
            }
            for id in 0..<count { add(&rows, id, "both") }
            var copy = rows
            let last = rows.last
            add(&copy, count, "copy")
            add(&rows, count, "original")
            add(&copy, count + 1, "copy")
            #expect((rows.count, copy.count) == (count + 1, count + 2))
            #expect(rows[count, 1] == .string("a text on the heap: original \(count)"))
            #expect(copy[count, 1] == .string("a text on the heap: copy \(count)"))
            #expect(copy[count + 1, 1] == .string("a text on the heap: copy \(count + 1)"))
            guard let last else { continue }
            #expect(last[1] == .string("a text on the heap: both \(count - 1)"))
            rows = FetchedRows(columns: [])
            #expect(Array(last.values) == Array(copy[count - 1].values))
        }
    }

    // MARK: - Streams

    @Test func streamKeepsState() throws {
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

    @Test func streamIsSentToTask() async throws {
        let stream = try shelf.context.stream(
            FetchRequest<Book>(orderedBy: [FetchOrder("id")]), of: ["title"])
        let interrupt = stream.interruption
        let count = try await Task {
            var count = 0
            while try stream.next() != nil { count += 1 }
            return count
        }.value
        #expect(count == 5)
        // The stream was released by the task.
        interrupt()
    }

    /// Sums of sums for each book take minutes, so the test ends only because the stream is interrupted.
    @Test(.timeLimit(.minutes(1))) func interruptedStreamThrows() async throws {
        let publisher = try shelf.context.insert(Publisher.self)
        publisher.name = "Sisyphus"
        for number in 1...1_500 {
            let book = try shelf.context.insert(Book.self)
            (book.title, book.publisher) = ("\(number)", publisher)
        }
        try shelf.context.save()
        let slow = FetchRequest<Book>(
            matching: try FetchPredicate(
                "SUBQUERY(publisher.books, $b, $b.publisher.books.@sum.pages < 0).@count > 0"))
        let stream = try shelf.context.stream(slow, of: [.count])
        let interrupt = stream.interruption
        let reading = Task { try stream.next()?[0] }
        // An interruption before the statement runs has no effect.
        let interrupting = Task {
            while !Task.isCancelled {
                interrupt()
                await Task.yield()
            }
        }
        await #expect(throws: StoreError.self) { try await reading.value }
        interrupting.cancel()
    }

    @Test func streamOfObjectsReturnsTheirCurrentState() throws {
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

    @Test func rowWhoseValuesCannotBeReadIsNotAdded() throws {
        struct Unreadable: Error {}
        var rows = FetchedRows(columns: ["id", "title"])
        let last = 1024 as Int64
        for id in 1...last { rows.append { $0 == 0 ? .integer(id) : .string("row \(id)") } }
        for column in [1, 0] {
            #expect(throws: Unreadable.self) {
                try rows.append {
                    guard $0 < column else { throw Unreadable() }
                    return .integer(0)
                }
            }
        }
        rows.append { $0 == 0 ? .integer(last + 1) : .string("after") }
        #expect(rows.count == 1025)
        #expect(Array(rows[0].values) == [.integer(1), .string("row 1")])
        #expect(Array(rows[1023].values) == [.integer(last), .string("row 1024")])
        #expect(Array(rows[1024].values) == [.integer(last + 1), .string("after")])
    }
}
