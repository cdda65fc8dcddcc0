import ObjectStore
import Testing

/// Requests that fetch related objects with the objects.
@Suite struct PrefetchRequestTests {
    let directory = TemporaryStore()

    /// Saves publishers with two books each. Every book has a cover and an author of its own, and a common author.
    private func fill(_ context: ManagedObjectContext, publishers: Int) throws {
        let jane = try context.insert(Author.self)
        jane.name = "Jane"
        for index in 0..<publishers {
            let publisher = try context.insert(Publisher.self)
            publisher.name = "P\(index)"
            for number in 0..<2 {
                let book = try context.insert(Book.self)
                book.title = "\(index).\(number)"
                book.publisher = publisher
                let own = try context.insert(Author.self)
                own.name = "A\(index).\(number)"
                book.authors.insert(jane)
                book.authors.insert(own)
                let cover = try context.insert(Cover.self)
                cover.image = [1]
                book.cover = cover
            }
        }
        try context.save()
    }

    private let request = FetchRequest<Publisher>(
        orderedBy: [FetchOrder("id")], prefetching: ["books.authors", "books.cover", "books"])

    @Test(arguments: TestedStore.allCases)
    func prefetchedLevelsNeedNoStore(_ kind: TestedStore) throws {
        let writer = try kind.context(in: directory)
        try fill(writer, publishers: 3)
        let context = ManagedObjectContext(coordinator: writer.coordinator)
        let publishers = try context.fetch(request)
        writer.coordinator.close()
        for (index, publisher) in publishers.enumerated() {
            #expect(publisher.books.map(\.title) == ["\(index).0", "\(index).1"])
            for book in publisher.books {
                #expect(Set(book.authors.map(\.name)) == ["Jane", "A\(book.title)"])
                #expect(book.cover?.image == [1])
                #expect(book.publisher === publisher)
            }
        }
        #expect(publishers.count == 3)
        #expect(context.failure == nil)
    }

    @Test(arguments: [1, 40])
    func everyLevelHasAFixedNumberOfStatements(_ publishers: Int) throws {
        let model = try Library.model()
        let store = SnapshotStore(model: model)
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        let writer = ManagedObjectContext(coordinator: coordinator)
        try fill(writer, publishers: publishers)
        let context = ManagedObjectContext(coordinator: coordinator)
        let before = store.reads
        let found = try context.fetch(request)
        // Publishers, books, pairs, authors, covers.
        #expect(store.reads - before == 5)
        #expect(found.flatMap { $0.books.flatMap { $0.authors.map(\.name) } }.count == publishers * 4)
        #expect(store.reads - before == 5)
        _ = try context.fetch(request)
        #expect(store.reads - before == 6)
        withExtendedLifetime(writer) {}
    }

    @Test(arguments: TestedStore.allCases)
    func prefetchingRequestSeesUnsavedChanges(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        try fill(context, publishers: 1)
        let publisher = try #require(try context.objects(of: Publisher.self).first)
        let book = try context.insert(Book.self)
        book.title = "new"
        book.publisher = publisher
        book.authors.insert(
            try #require(try context.object(of: Author.self, matching: "name", equals: "Jane")))
        let gone = try #require(publisher.books.first { _ in true })
        try context.delete(gone)
        let found = try context.fetch(request)
        #expect(found[0].books.map(\.title) == ["0.1", "new"])
        #expect(found[0].books.flatMap { $0.authors.map(\.name) }.sorted() == ["A0.1", "Jane", "Jane"])
    }

    @Test func objectsAreKeptUntilNextRequestOfTheirKind() throws {
        let writer = try directory.context()
        try fill(writer, publishers: 1)
        let context = ManagedObjectContext(coordinator: writer.coordinator)
        var publishers = try context.fetch(request)
        weak let book = publishers.first?.books.first { _ in true }
        _ = try context.fetch(FetchRequest<Author>(prefetching: ["books"]))
        #expect(book != nil)
        publishers = try context.fetch(FetchRequest<Publisher>(prefetching: ["books"]))
        _ = try context.fetch(FetchRequest<Author>(limit: 0, prefetching: ["books"]))
        #expect(book != nil)
        publishers = try context.fetch(FetchRequest<Publisher>(limit: 0, prefetching: ["books"]))
        #expect(publishers.isEmpty)
        #expect(book == nil)
    }

    @Test func pathWithoutRelationshipIsRefused() throws {
        let context = try directory.context()
        for path in ["title", "nothing", "publisher.name", "publisher.nothing", "", "authors.@count"] {
            #expect(throws: PropertyError.self, "\(path)") {
                try context.fetch(FetchRequest<Book>(prefetching: [path]))
            }
        }
    }
}
