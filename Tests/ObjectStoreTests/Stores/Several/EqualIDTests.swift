import ObjectStore
import Testing

/// Two stores that were made separately, so that their objects have the same IDs.
@Suite struct EqualIDTests {
    let directory = TemporaryStore()

    /// Returns a context of two stores with a publisher, an author and a book each, all with the ID 1. A second book of
    /// each store has no publisher.
    private func context(_ kind: TestedStore) throws -> ManagedObjectContext {
        let model = try Library.model()
        let both = PersistentStoreCoordinator(model: model)
        for number in 1...2 {
            let path = "\(directory.directory)/\(number).\(kind)"
            let alone = PersistentStoreCoordinator(model: model)
            try alone.addStore(kind.open(path, model))
            let context = ManagedObjectContext(coordinator: alone)
            let publisher = try context.insert(Publisher.self)
            publisher.name = "publisher \(number)"
            let author = try context.insert(Author.self)
            author.name = "author \(number)"
            let book = try context.insert(Book.self)
            book.title = "book \(number)"
            book.publisher = publisher
            book.authors.insert(author)
            try context.insert(Book.self).title = "other \(number)"
            try context.save()
            alone.close()
            try both.addStore(kind.open(path, model))
        }
        return ManagedObjectContext(coordinator: both)
    }

    private func titles(_ request: FetchRequest<Book>, _ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(request).map(\.title).sorted()
    }

    private func publishers(_ context: ManagedObjectContext) throws -> [Publisher] {
        try context.fetch(Publisher.all.ordered(by: \.name))
    }

    @Test(arguments: TestedStore.inFiles)
    func predicateFindsObjectsOfArgumentsStore(_ kind: TestedStore) throws {
        let context = try context(kind)
        let publishers = try publishers(context)
        #expect(publishers.map(\.id) == [1, 1])
        for (number, publisher) in zip(1..., publishers) {
            let mine = ["book \(number)"]
            let others = ["book \(3 - number)"]
            #expect(try titles(Book.where { $0.publisher == publisher }, context) == mine)
            #expect(
                try titles(Book.where { $0.publisher == publisher }.ordered(by: \.title).limit(5), context)
                    == mine)
            #expect(try context.count(Book.where { $0.publisher == publisher }) == 1)
            #expect(try context.rows(Book.where { $0.publisher == publisher }, of: ["title"]).count == 1)
            #expect(
                try titles(Book.where { $0.publisher != publisher && $0.publisher != nil }, context) == others
            )
            let identifier = publisher.objectID
            #expect(
                try titles(
                    FetchRequest<Book>(matching: FetchPredicate("publisher == %@", identifier)), context)
                    == mine)
            #expect(
                try titles(
                    FetchRequest<Book>(matching: FetchPredicate("publisher IN %@", [publisher])), context)
                    == mine)
            #expect(
                try titles(
                    FetchRequest<Book>(matching: FetchPredicate("publisher == $P").binding(["P": publisher])),
                    context)
                    == mine)
            let book = try #require(Array(publisher.books).first)
            #expect(
                try context.fetch(Author.where { $0.books.contains(book) }).map(\.name) == [
                    "author \(number)"
                ])
            #expect(
                try context.fetch(FetchRequest<Book>(matching: FetchPredicate("SELF == %@", book))) == [book])
            for store in context.coordinator.stores {
                var request = Book.where { $0.publisher == publisher }
                request.affectedStores = [store.metadata.identifier]
                let isHere = try context.store(of: publisher) === store
                #expect(try titles(request, context) == (isHere ? mine : []))
                let prepared = try context.prepare(request, of: ["title"])
                #expect(try context.rows(prepared).count == (isHere ? 1 : 0))
            }
        }
    }

    @Test(arguments: TestedStore.inFiles)
    func predicateInMemoryComparesStores(_ kind: TestedStore) throws {
        let context = try context(kind)
        let publishers = try publishers(context)
        for book in try context.fetch(Book.where { $0.publisher != nil }) {
            for publisher in publishers {
                let matches = try Book.where { $0.publisher == publisher }.predicate.matches(book)
                #expect(matches == (book.publisher === publisher))
            }
        }
    }

    @Test(arguments: TestedStore.inFiles)
    func bulkChangesFindObjectsOfArgumentsStore(_ kind: TestedStore) throws {
        let context = try context(kind)
        let publisher = try #require(try publishers(context).last)
        #expect(try context.updateAll(Book.where { $0.publisher == publisher }) { $0.pages = 7 } == 1)
        #expect(try titles(Book.where { $0.pages == 7 }, context) == ["book 2"])
        #expect(try context.deleteAll(Book.where { $0.publisher == publisher }) == 1)
        #expect(try titles(Book.all, context) == ["book 1", "other 1", "other 2"])
    }

    @Test func updateOfAllRefusesTargetInOtherStore() throws {
        let context = try context(.sqlite)
        let publisher = try #require(try publishers(context).last)
        let error = #expect(throws: StoreError.self) {
            try context.updateAll(Book.all) { $0.publisher = publisher }
        }
        #expect(error?.code == .crossStore)
        var request = Book.all
        request.affectedStores = [try context.store(of: publisher).metadata.identifier]
        #expect(try context.updateAll(request) { $0.publisher = publisher } == 2)
        #expect(
            try titles(Book.where { $0.publisher == publisher }, context) == ["book 2", "other 2"])
    }

    @Test(arguments: TestedStore.inFiles)
    func membersAreComparedWithTheirStore(_ kind: TestedStore) throws {
        let context = try context(kind)
        let publishers = try publishers(context)
        let books = try publishers.map { try #require(Array($0.books).first) }
        #expect(books.map(\.id) == [1, 1])
        #expect(publishers[0].books.contains(books[0]) && !publishers[0].books.contains(books[1]))
        #expect(publishers[1].books.contains(books[1]) && !publishers[1].books.contains(books[0]))
        publishers[0].books.replace(with: [books[1]])
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .crossStore)
        context.rollback()
        publishers[0].books.replace(with: [books[0]])
        #expect(Array(publishers[0].books) == [books[0]])
        try context.save()
    }
}
