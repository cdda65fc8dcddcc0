import ObjectStore
import Testing

/// Inserts many rows with one statement. A save has the same result as with one statement a row.
@Suite struct ManyInsertionsTests {
    let store = TemporaryStore()

    private func insertBook(_ number: Int, _ context: ManagedObjectContext) throws {
        let book = try context.insert(Book.self)
        book.title = "Book \(number)"
        book.pages = number
        book.rating = number.isMultiple(of: 3) ? nil : 1.5
    }

    @Test(arguments: [1, 27, 28, 29, 56, 600]) func everyRowIsInserted(count: Int) throws {
        let context = try store.context()
        for number in 1...count { try insertBook(number, context) }
        try context.save()
        let expected = (1...count).map { "\($0)|Book \($0)|\($0)|\($0.isMultiple(of: 3) ? "NULL" : "1.5")" }
        #expect(try store.rows("SELECT id, title, pages, rating FROM Book ORDER BY id") == expected)
    }

    @Test func entitiesAndKindsOfChangeMayBeMixed() throws {
        let context = try store.context()
        for number in 1...100 {
            try insertBook(number, context)
            if number.isMultiple(of: 40) { try context.insert(Author.self).name = "Author \(number)" }
        }
        try context.save()
        for number in 101...200 {
            try insertBook(number, context)
            let old = try #require(try context.object(of: Book.self, id: Int64(number - 100)))
            if number.isMultiple(of: 2) { old.pages = 0 } else { try context.delete(old) }
        }
        try context.save()
        #expect(try store.rows("SELECT count(*), min(id), max(id) FROM Book") == ["150|2|200"])
        #expect(try store.rows("SELECT count(*) FROM Book WHERE pages = 0") == ["50"])
        #expect(try store.rows("SELECT name FROM Author ORDER BY id") == ["Author 40", "Author 80"])
    }

    @Test func refusedRowFailsWholeSave() throws {
        let context = try store.context()
        try insertBook(1, context)
        try context.save()
        for number in 2...200 { try insertBook(number, context) }
        // Another program has taken one of the ids.
        try store.execute("INSERT INTO Book (id, title, pages) VALUES (150, 'mine', 1)")
        #expect(throws: StoreError.self) { try context.save() }
        #expect(try store.rows("SELECT id FROM Book ORDER BY id") == ["1", "150"])
        #expect(context.insertedObjects.count == 199)
        try store.execute("DELETE FROM Book WHERE id = 150")
        try context.save()
        #expect(try store.rows("SELECT count(*) FROM Book") == ["200"])
    }
}
