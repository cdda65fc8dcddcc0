import ObjectStore
import Testing

@Suite struct PrefetchTests {
    let store = TemporaryStore()

    /// Three publishers, the last without books.
    private func publishers(_ context: ManagedObjectContext) throws -> [Publisher] {
        for name in ["Egerton", "Murray", "Nobody"] {
            let publisher = try context.insert(Publisher.self)
            publisher.name = name
            for number in 0..<(name == "Nobody" ? 0 : 2) {
                let book = try context.insert(Book.self)
                book.title = "\(name) \(number)"
                book.publisher = publisher
            }
        }
        try context.save()
        return try context.fetch(FetchRequest<Publisher>(orderedBy: [FetchOrder("id")]))
    }

    @Test func toManyRelationshipIsPrefetched() throws {
        let writer = try store.context()
        _ = try publishers(writer)
        let context = ManagedObjectContext(coordinator: writer.coordinator)
        let publishers = try context.fetch(FetchRequest<Publisher>(orderedBy: [FetchOrder("id")]))
        let books = try context.prefetch("books", of: publishers)
        #expect(books.count == 4)
        // The relationship is known now, so it is not read from the store.
        writer.coordinator.close()
        #expect(
            publishers.map { $0.books.map(\.title) } == [
                ["Egerton 0", "Egerton 1"], ["Murray 0", "Murray 1"], [],
            ])
        withExtendedLifetime(books) {}
    }

    @Test func prefetchIncludesUnsavedChanges() throws {
        let context = try store.context()
        let publishers = try publishers(context)
        let book = try context.insert(Book.self)
        book.title = "new"
        book.publisher = publishers[2]
        let books = try context.prefetch("books", of: publishers)
        #expect(books.count == 5)
        #expect(publishers[2].books.map(\.title) == ["new"])
    }

    @Test func prefetchOfNoObjectsReturnsNoObjects() throws {
        #expect(try store.context().prefetch("books", of: [Publisher]()) == [])
    }

    @Test func prefetchOfAttributeIsRefused() throws {
        let context = try store.context()
        let publishers = try publishers(context)
        #expect(throws: PropertyError.self) { try context.prefetch("name", of: publishers) }
    }
}
