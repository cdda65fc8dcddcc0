import ObjectStore

/// A store with a few books, for tests that read.
struct Shelf {
    let store = TemporaryStore()
    let context: ManagedObjectContext

    init() throws {
        context = try store.context()
        let murray = try context.insert(Publisher.self)
        murray.name = "Murray"
        let egerton = try context.insert(Publisher.self)
        egerton.name = "Egerton"
        let jane = try context.insert(Author.self)
        jane.name = "Jane"
        let editor = try context.insert(Author.self)
        editor.name = "Cassandra"
        let books: [(String, Int, Double?, Publisher?, Double?)] = [
            ("Emma", 474, 4.5, murray, 1815), ("emma", 12, nil, nil, nil),
            ("Persuasion", 249, 4, murray, 1817),
            ("Mansfield Park", 480, 3.5, egerton, 1814), ("Éire", 7, 1, nil, 1900),
        ]
        for (title, pages, rating, publisher, year) in books {
            let book = try context.insert(Book.self)
            book.title = title
            book.pages = pages
            book.rating = rating
            book.publisher = publisher
            book.published = year.map { Timestamp(secondsSince1970: ($0 - 1970) * 31_556_952) }
            if publisher != nil { book.authors.insert(jane) }
        }
        try context.save()
    }

    func titles(_ request: FetchRequest<Book>) throws -> [String] {
        try context.fetch(request).map(\.title)
    }
}
