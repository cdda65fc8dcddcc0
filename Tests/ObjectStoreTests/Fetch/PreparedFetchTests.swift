import ObjectStore
import Testing

/// A prepared fetch returns the same as a new request each time, in every kind of store.
@Suite struct PreparedFetchTests {
    private let directory = TemporaryStore()

    private func titles(_ rows: FetchedRows) -> [String?] {
        rows.map { String(attributeValue: $0[0]) }
    }

    private func prepare(_ format: String, _ context: ManagedObjectContext) throws -> PreparedFetch {
        try context.prepare(
            FetchRequest<Book>(matching: try FetchPredicate(format), orderedBy: [FetchOrder("id")]),
            of: ["title"])
    }

    @Test(arguments: TestedStore.allCases) func preparedFetchUsesItsValues(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let long = try prepare("pages > $least AND pages < $most", context)
        let both = try prepare("title == $title OR isbn == $title", context)
        for _ in 0..<2 {
            let some = ["least": AttributeValue.integer(400), "most": .integer(478)]
            #expect(titles(try context.rows(long, with: some)) == ["Emma"])
            let more = ["least": AttributeValue.integer(475), "most": .integer(500)]
            #expect(titles(try context.rows(long, with: more)) == ["Mansfield Park"])
            #expect(titles(try context.rows(both, with: ["title": .string("Emma")])) == ["Emma"])
        }
        #expect(throws: FetchPredicateError.self) { try context.rows(long, with: ["least": .integer(1)]) }
    }

    /// Values of another type, and `nil`, need another statement, so the statement for the previous values is
    /// not used.
    @Test func preparedFetchAcceptsValuesOfAlternatingTypes() throws {
        let context = try Shelf().context
        let rated = try prepare("rating == $rating", context)
        let values: [AttributeValue] = [.double(4.5), .null, .integer(4), .double(4.5), .integer(4), .null]
        for value in values {
            let predicate = try FetchPredicate("rating == $rating").binding(["rating": value])
            let anew = try context.rows(
                FetchRequest<Book>(matching: predicate, orderedBy: [FetchOrder("id")]), of: ["title"])
            #expect(!anew.isEmpty)
            #expect(titles(try context.rows(rated, with: ["rating": value])) == titles(anew), "\(value)")
        }
    }

    /// Only variables are replaced. A value that was bound before, or passed as an argument, stays.
    @Test func preparedFetchKeepsBoundValues() throws {
        let context = try Shelf().context
        let predicate = try FetchPredicate("pages > $least AND title != %@ AND pages < $most", "Emma")
            .binding(["least": .integer(400)])
        let fetch = try context.prepare(
            FetchRequest<Book>(matching: predicate, orderedBy: [FetchOrder("id")]), of: ["title"])
        for _ in 0..<2 {
            let values = ["least": AttributeValue.integer(0), "most": .integer(1_000)]
            #expect(titles(try context.rows(fetch, with: values)) == ["Mansfield Park"])
        }
    }

    @Test func preparedFetchSeesUnsavedAndLaterChanges() throws {
        let shelf = try Shelf()
        // The file is removed with the shelf, and a store without its file refuses to write.
        defer { withExtendedLifetime(shelf) {} }
        let context = shelf.context
        let fetch = try prepare("title BEGINSWITH $start", context)
        let emma = try #require(try context.object(of: Book.self, id: 1))
        #expect(titles(try context.rows(fetch, with: ["start": .string("Em")])) == ["Emma"])
        emma.title = "Emily"
        #expect(titles(try context.rows(fetch, with: ["start": .string("Em")])) == ["Emily"])
        #expect(titles(try context.rows(fetch, with: ["start": .string("Pers")])) == ["Persuasion"])
    }

    @Test func preparedFetchSpansSeveralStores() throws {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        for _ in 0..<2 { try coordinator.addStore(.memory) }
        let context = ManagedObjectContext(coordinator: coordinator)
        for (store, name) in zip(coordinator.stores, ["Jane", "Emily"]) {
            let author = try context.insert(Author.self)
            try context.assign(author, to: store)
            author.name = name
        }
        try context.save()
        let fetch = try context.prepare(
            FetchRequest<Author>(
                matching: try FetchPredicate("name != $name"), orderedBy: [FetchOrder("name")]),
            of: ["name"])
        #expect(titles(try context.rows(fetch, with: ["name": .string("")])) == ["Emily", "Jane"])
        #expect(titles(try context.rows(fetch, with: ["name": .string("Jane")])) == ["Emily"])
    }

    @Test func preparedFetchOfUnknownEntityThrows() throws {
        let context = try Shelf().context
        #expect(throws: FetchError.self) {
            try context.prepare(FetchRequest<ManagedObject>(entity: "Shop"), of: ["name"])
        }
    }
}
