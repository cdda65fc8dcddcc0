import ObjectStore
import TestSupport
import Testing

/// `refresh` with unsaved changes, in every kind of store. A book has at most one cover, and a cover at most one book.
@Suite struct RefreshTests {
    let directory = TemporaryStore()

    /// A context with four books and four covers, and another context of the same coordinator.
    ///
    /// - Parameter pairs: The numbers of the books and covers that belong together, from 0 on.
    private func fill(
        _ kind: TestedStore, _ pairs: [(Int, Int)]
    ) throws -> (main: ManagedObjectContext, other: ManagedObjectContext, books: [Book], covers: [Cover]) {
        let main = try kind.context(in: directory)
        let books = try (0..<4).map { number in
            let book = try main.insert(Book.self)
            book.title = "Book \(number)"
            return book
        }
        let covers = try (0..<4).map { number in
            let cover = try main.insert(Cover.self)
            cover.image = [UInt8(number)]
            return cover
        }
        for (book, cover) in pairs { books[book].cover = covers[cover] }
        try main.save()
        return (main, ManagedObjectContext(coordinator: main.coordinator), books, covers)
    }

    private func same<Object: ManagedObject>(_ object: Object, _ context: ManagedObjectContext) throws
        -> Object
    {
        try #require(try context.object(object.objectID) as? Object)
    }

    /// Saves as the documentation recommends: refreshes the objects that a `ConflictError` names, and saves
    /// again.
    private func saveWithRefresh(_ context: ManagedObjectContext) throws {
        for _ in 0..<5 {
            do {
                return try context.save()
            } catch let error as ConflictError {
                for name in error.objects {
                    if let object = try context.object(name) { try context.refresh(object) }
                }
            }
        }
        Issue.record("the conflict is not over")
    }

    /// Expects that both ends agree in memory and in the store.
    private func requireBothEnds(
        _ context: ManagedObjectContext, _ books: [Book], _ covers: [Cover],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for book in books where !book.isDeleted {
            #expect(book.cover == nil || book.cover?.book === book, sourceLocation: sourceLocation)
        }
        for cover in covers where !cover.isDeleted {
            #expect(cover.book == nil || cover.book?.cover === cover, sourceLocation: sourceLocation)
        }
        let ofBooks = try context.rows(FetchRequest<Book>(), of: ["id", "cover"]).filter { $0[1] != .null }
            .map { [$0[0], $0[1]] }
        let ofCovers = try context.rows(FetchRequest<Cover>(), of: ["book", "id"]).filter { $0[0] != .null }
            .map { [$0[0], $0[1]] }
        #expect(Set(ofBooks) == Set(ofCovers), sourceLocation: sourceLocation)
    }

    /// O2: Both contexts give a book a cover. The refresh reverts both ends of the context's own change.
    @Test(arguments: TestedStore.allCases)
    func refreshReversesBothEnds(_ kind: TestedStore) throws {
        let (main, other, books, covers) = try fill(kind, [])
        books[0].cover = covers[0]
        try same(books[0], other).cover = try same(covers[1], other)
        try other.save()
        let error = #expect(throws: ConflictError.self) { try main.save() }
        #expect(error?.objects == [books[0].objectID])
        try main.refresh(books[0])
        #expect(books[0].cover === covers[1])
        #expect(covers[0].book == nil)
        #expect(covers[1].book === books[0])
        #expect(!main.hasChanges)
        try main.save()
        try requireBothEnds(main, books, covers)
        try requireBothEnds(other, try other.objects(of: Book.self), try other.objects(of: Cover.self))
    }

    /// O2: The cover was taken from another book, and either end is refreshed.
    @Test(arguments: TestedStore.allCases, [true, false])
    func refreshRestoresFormerPartner(_ kind: TestedStore, isBookRefreshed: Bool) throws {
        let (main, _, books, covers) = try fill(kind, [(0, 0), (1, 1)])
        // Cover 0 moves from book 0 to book 1, which loses cover 1.
        books[1].cover = covers[0]
        #expect(books[0].cover == nil)
        #expect(covers[1].book == nil)
        try main.refresh(isBookRefreshed ? books[1] : covers[0])
        #expect(books[0].cover === covers[0])
        #expect(books[1].cover === covers[1])
        #expect(covers[0].book === books[0])
        #expect(covers[1].book === books[1])
        #expect(!main.hasChanges)
        try requireBothEnds(main, books, covers)
    }

    /// O2: A change that was made afterwards is kept.
    @Test(arguments: TestedStore.allCases)
    func refreshKeepsOtherChanges(_ kind: TestedStore) throws {
        let (main, _, books, covers) = try fill(kind, [(0, 0), (1, 1)])
        books[1].cover = covers[0]
        books[0].cover = covers[2]
        books[0].pages = 7
        covers[0].price = DecimalValue("1.5")
        try main.refresh(books[1])
        #expect(books[1].cover === covers[1])
        #expect(covers[1].book === books[1])
        #expect(books[0].cover === covers[2])
        #expect(covers[2].book === books[0])
        #expect(covers[0].book == nil)
        #expect(covers[0].price == DecimalValue("1.5"))
        #expect(books[0].pages == 7)
        try requireBothEnds(main, books, covers)
        try main.save()
        try requireBothEnds(main, books, covers)
        #expect(covers[0].price == DecimalValue("1.5"))
    }

    /// O2: The partner in the store belongs to a third object in this context.
    @Test(arguments: TestedStore.allCases)
    func refreshTakesThePartnerOfTheStore(_ kind: TestedStore) throws {
        let (main, other, books, covers) = try fill(kind, [(2, 2)])
        books[0].cover = covers[0]
        books[2].cover = covers[1]
        try same(books[0], other).cover = try same(covers[1], other)
        try other.save()
        try saveWithRefresh(main)
        #expect(books[0].cover === covers[1])
        #expect(covers[1].book === books[0])
        #expect(covers[0].book == nil)
        try requireBothEnds(main, books, covers)
    }

    /// O2: No reference to an object that another context deleted remains.
    @Test(arguments: TestedStore.allCases, [true, false])
    func refreshOfAnObjectDeletedElsewhereReleasesItsPartner(_ kind: TestedStore, isBookDeleted: Bool) throws
    {
        let (main, other, books, covers) = try fill(kind, [(1, 1)])
        books[0].cover = covers[1]
        try other.delete(isBookDeleted ? try same(books[0], other) : try same(covers[1], other))
        try other.save()
        try saveWithRefresh(main)
        try requireBothEnds(main, books, covers)
        #expect(isBookDeleted ? books[0].isDeleted : covers[1].isDeleted)
        #expect(isBookDeleted ? covers[1].book === books[1] : books[0].cover == nil)
    }

    /// O2: The partner in the store is deleted in this context, so the delete rule clears the reference.
    @Test(arguments: TestedStore.allCases)
    func refreshDoesNotReferToADeletedObject(_ kind: TestedStore) throws {
        let (main, other, books, covers) = try fill(kind, [])
        let murray = try main.insert(Publisher.self)
        murray.name = "Murray"
        try main.save()
        books[0].pages = 7
        try main.delete(covers[0])
        try main.delete(murray)
        let theirs = try same(books[0], other)
        theirs.cover = try other.object(of: Cover.self, id: covers[0].id)
        theirs.publisher = try same(murray, other)
        try other.save()
        main.conflictPolicy = .mineWins
        try main.refresh(books[0])
        #expect(books[0].cover == nil)
        #expect(books[0].publisher == nil)
        try main.save()
        try requireBothEnds(main, books, covers)
        #expect(try main.count(FetchRequest<Cover>()) == 3)
        #expect(try main.count(FetchRequest<Publisher>()) == 0)
    }

    /// O2: A refresh of a member updates the one-to-many relationship that it belongs to.
    @Test(arguments: TestedStore.allCases)
    func refreshUpdatesOwnerOfMember(_ kind: TestedStore) throws {
        let main = try kind.shelf(in: directory)
        let emma = try #require(try main.object(of: Book.self, matching: "title", equals: "Emma"))
        let murray = try #require(emma.publisher)
        let egerton = try #require(try main.object(of: Publisher.self, matching: "name", equals: "Egerton"))
        #expect(murray.books.count == 2)
        emma.publisher = egerton
        #expect(egerton.books.count == 2)
        try main.refresh(emma)
        #expect(murray.books.count == 2)
        #expect(egerton.books.count == 1)
        #expect(emma.publisher === murray)
        #expect(!main.hasChanges)
    }

    /// O2: A refresh reverts the pairs of a many-to-many relationship, at both ends.
    @Test(arguments: TestedStore.allCases)
    func refreshRevertsPairs(_ kind: TestedStore) throws {
        let main = try kind.shelf(in: directory)
        let emma = try #require(try main.object(of: Book.self, matching: "title", equals: "Emma"))
        let lower = try #require(try main.object(of: Book.self, matching: "title", equals: "emma"))
        let jane = try #require(try main.object(of: Author.self, matching: "name", equals: "Jane"))
        let cassandra = try #require(try main.object(of: Author.self, matching: "name", equals: "Cassandra"))
        emma.authors.replace(with: [cassandra])
        lower.authors.insert(jane)
        try main.refresh(emma)
        #expect(emma.authors.map(\.name) == ["Jane"])
        #expect(jane.books.contains(emma))
        #expect(!cassandra.books.contains(emma))
        #expect(!emma.hasChanges)
        #expect(!cassandra.hasChanges)
        #expect(main.hasChanges)
        try main.save()
        #expect(jane.books.contains(lower))
        let authors = try main.rows(
            FetchRequest<Book>(matching: FetchPredicate("title ==[c] %@", "emma")), of: ["authors.@count"])
        #expect(authors.map { $0[0] } == [.integer(1), .integer(1)])
    }

    /// O2: An undo after another context has saved cannot leave one end of a relationship alone in the store.
    @Test(arguments: TestedStore.allCases)
    func undoAfterAnotherSaveKeepsBothEnds(_ kind: TestedStore) throws {
        let (main, other, books, covers) = try fill(kind, [])
        main.undoLevels = 10
        books[0].cover = covers[0]
        try main.save()
        try same(books[0], other).cover = try same(covers[1], other)
        try other.save()
        #expect(try main.objects(of: Book.self).count == 4)
        #expect(try main.objects(of: Cover.self).count == 4)
        #expect(books[0].cover === covers[1])
        main.undo()
        try saveWithRefresh(main)
        try requireBothEnds(main, books, covers)
    }

    /// O2: Makes random changes in two contexts, and resolves each conflict as the documentation recommends.
    @Test(arguments: [TestedStore.sqlite, .memory])
    func randomChangesLeaveBothEndsInAgreement(_ kind: TestedStore) throws {
        var generator = SplitMix(state: 18)
        let (main, other, books, covers) = try fill(kind, [(0, 0), (1, 1)])
        for _ in 0..<120 {
            for context in [main, other] {
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    let numbers = (
                        Int.random(in: 0...3, using: &generator), Int.random(in: 0...4, using: &generator)
                    )
                    let book = try same(books[numbers.0], context)
                    let cover = numbers.1 < 4 ? try same(covers[numbers.1], context) : nil
                    if Bool.random(using: &generator) { book.cover = cover } else { cover?.book = book }
                    if Bool.random(using: &generator) { book.pages += 1 }
                }
            }
            if Bool.random(using: &generator) { _ = try main.objects(of: Book.self) }
            try saveWithRefresh(other)
            try saveWithRefresh(main)
            _ = try main.objects(of: Book.self)
            _ = try main.objects(of: Cover.self)
            try requireBothEnds(main, books, covers)
        }
    }
}
