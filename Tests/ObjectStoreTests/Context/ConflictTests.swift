import ObjectStore
import Testing

@Suite struct ConflictTests {
    let store = TemporaryStore()

    private func twoContexts() throws -> (mine: ManagedObjectContext, other: ManagedObjectContext, id: Int64)
    {
        let mine = try store.context()
        let book = try mine.insert(Book.self)
        book.title = "Emma"
        try mine.save()
        return (mine, ManagedObjectContext(coordinator: mine.coordinator), book.id)
    }

    @Test func secondSaveIsAConflict() throws {
        let (mine, other, id) = try twoContexts()
        let book = try #require(try mine.object(of: Book.self, id: id))
        let same = try #require(try other.object(of: Book.self, id: id))
        #expect(book !== same)
        same.pages = 474
        try other.save()
        book.title = "Emma, revised"
        let error = #expect(throws: ConflictError.self) { try mine.save() }
        #expect(error?.objects == [book.objectID])
        #expect(try store.rows("SELECT title, pages FROM Book") == ["Emma|474"])
        try mine.refresh(book)
        #expect(book.pages == 474)
        book.title = "Emma, revised"
        try mine.save()
        #expect(try store.rows("SELECT title, pages FROM Book") == ["Emma, revised|474"])
    }

    @Test func mineWinsKeepsPropertiesChangedHere() throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = .mineWins
        let book = try #require(try mine.object(of: Book.self, id: id))
        let same = try #require(try other.object(of: Book.self, id: id))
        same.pages = 474
        same.title = "E."
        try other.save()
        book.title = "Emma, revised"
        try mine.save()
        #expect(book.pages == 474)
        #expect(try store.rows("SELECT title, pages FROM Book") == ["Emma, revised|474"])
    }

    @Test func theirsWinsKeepsPropertiesChangedElsewhere() throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = .theirsWins
        let book = try #require(try mine.object(of: Book.self, id: id))
        let same = try #require(try other.object(of: Book.self, id: id))
        same.title = "E."
        try other.save()
        book.title = "Emma, revised"
        book.pages = 474
        try mine.save()
        #expect(book.title == "E.")
        #expect(try store.rows("SELECT title, pages FROM Book") == ["E.|474"])
        #expect(!mine.hasChanges)
    }

    @Test func contextHasNoChangesAfterTheirsWinsAll() throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = .theirsWins
        let book = try #require(try mine.object(of: Book.self, id: id))
        try #require(try other.object(of: Book.self, id: id)).title = "E."
        try other.save()
        book.title = "Emma, revised"
        try mine.save()
        #expect(book.title == "E.")
        #expect(try store.rows("SELECT title FROM Book") == ["E."])
        book.title = "Emma again"
        try mine.save()
        #expect(try store.rows("SELECT title FROM Book") == ["Emma again"])
    }

    /// A pair that both contexts have added is no conflict.
    @Test func samePairAddedByTwoContextsIsNoConflict() throws {
        let (mine, other, id) = try twoContexts()
        let author = try mine.insert(Author.self)
        author.name = "Jane Austen"
        try mine.save()
        try #require(try mine.object(of: Book.self, id: id)).authors.insert(author)
        let theirs = try #require(try other.object(of: Author.self, id: author.id))
        try #require(try other.object(of: Book.self, id: id)).authors.insert(theirs)
        try other.save()
        try mine.save()
        #expect(try store.rows("SELECT * FROM Author_books") == ["1|1"])
    }

    @Test func deletionLosesAgainstChangeWithTheirsWins() throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = .theirsWins
        let book = try #require(try mine.object(of: Book.self, id: id))
        try #require(try other.object(of: Book.self, id: id)).pages = 1
        try other.save()
        try mine.delete(book)
        #expect(throws: ConflictError.self) { try mine.save() }
        #expect(try store.rows("SELECT pages FROM Book") == ["1"])
    }

    /// A cover belongs to one book. Both contexts assign a cover to the book, or both assign a book to the
    /// cover.
    @Test(arguments: [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins], [true, false])
    func bothEndsOfAOneToOneRelationshipAgree(
        policy: ManagedObjectContext.ConflictPolicy, isBookShared: Bool
    ) throws {
        let mine = try store.context()
        let books = try ["Emma", "Persuasion"].map { title in
            let book = try mine.insert(Book.self)
            book.title = title
            return book
        }
        let covers = try [UInt8(1), 2].map { byte in
            let cover = try mine.insert(Cover.self)
            cover.image = [byte]
            return cover
        }
        try mine.save()
        mine.conflictPolicy = policy
        let other = ManagedObjectContext(coordinator: mine.coordinator)
        let theirBook = try #require(try other.object(books[isBookShared ? 0 : 1].objectID) as? Book)
        theirBook.cover = try #require(try other.object(covers[isBookShared ? 1 : 0].objectID) as? Cover)
        try other.save()
        books[0].cover = covers[0]
        try mine.save()
        let kept = policy == .mineWins ? "1|1" : isBookShared ? "1|2" : "2|1"
        #expect(try store.rows("SELECT id, cover FROM Book WHERE cover IS NOT NULL") == [kept])
        #expect(try store.rows("SELECT book, id FROM Cover WHERE book IS NOT NULL") == [kept])
        #expect(books.allSatisfy { $0.cover == nil || $0.cover?.book === $0 })
    }

    @Test func deletionClearsReferenceMadeByAnotherContext() throws {
        let mine = try store.context()
        let cover = try mine.insert(Cover.self)
        cover.image = [1]
        let book = try mine.insert(Book.self)
        book.title = "Emma"
        try mine.save()
        mine.conflictPolicy = .mineWins
        let other = ManagedObjectContext(coordinator: mine.coordinator)
        let theirs = try #require(try other.object(cover.objectID) as? Cover)
        theirs.book = try #require(try other.object(book.objectID) as? Book)
        try other.save()
        try mine.delete(cover)
        try mine.save()
        #expect(book.cover == nil)
        #expect(try store.rows("SELECT cover FROM Book") == ["NULL"])
    }

    @Test(arguments: [ManagedObjectContext.ConflictPolicy.error, .mineWins, .theirsWins])
    func objectDeletedElsewhereCannotBeChanged(policy: ManagedObjectContext.ConflictPolicy) throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = policy
        let book = try #require(try mine.object(of: Book.self, id: id))
        try other.delete(try #require(try other.object(of: Book.self, id: id)))
        try other.save()
        book.pages = 1
        #expect(throws: ConflictError.self) { try mine.save() }
        mine.rollback()
        try mine.refresh(book)
        #expect(book.isDeleted)
        #expect(try mine.object(of: Book.self, id: id) == nil)
    }

    @Test func objectDeletedElsewhereCanBeDeletedWithMineWins() throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = .mineWins
        let book = try #require(try mine.object(of: Book.self, id: id))
        try other.delete(try #require(try other.object(of: Book.self, id: id)))
        try other.save()
        try mine.delete(book)
        try mine.save()
        #expect(try store.rows("SELECT * FROM Book").isEmpty)
    }

    @Test func fetchReturnsSavedChangesOfOtherContexts() throws {
        let (mine, other, id) = try twoContexts()
        let book = try #require(try mine.object(of: Book.self, id: id))
        let same = try #require(try other.object(of: Book.self, id: id))
        same.title = "E."
        let author = try other.insert(Author.self)
        author.name = "Jane"
        author.books.insert(same)
        #expect(book.authors.isEmpty)
        try other.save()
        #expect(book.title == "Emma")
        #expect(book.authors.map(\.name) == ["Jane"])
        #expect(try mine.objects(of: Book.self).map(\.title) == ["E."])
        #expect(book.title == "E.")
    }

    @Test func unsavedChangesAreInvisibleToOtherContexts() throws {
        let (mine, other, _) = try twoContexts()
        try mine.insert(Author.self).name = "Jane"
        #expect(try mine.count(FetchRequest<Author>()) == 1)
        try other.insert(Author.self).name = "Cassandra"
        #expect(try other.objects(of: Author.self).map(\.name) == ["Cassandra"])
        try mine.save()
        #expect(try other.count(FetchRequest<Author>()) == 2)
        try other.save()
        #expect(try store.rows("SELECT name FROM Author ORDER BY name") == ["Cassandra", "Jane"])
    }

    @Test func releasedContextLeavesNoUnsavedChanges() throws {
        let coordinator = try store.coordinator()
        var context: ManagedObjectContext? = ManagedObjectContext(coordinator: coordinator)
        let author = try context?.insert(Author.self)
        author?.name = "Jane"
        #expect(try context?.count(FetchRequest<Author>()) == 1)
        context = nil
        #expect(author?.context == nil)
        #expect(author?.name == "Jane")
        let next = ManagedObjectContext(coordinator: coordinator)
        #expect(try next.count(FetchRequest<Author>()) == 0)
        try next.insert(Author.self).name = "Cassandra"
        try next.save()
        #expect(try store.rows("SELECT name FROM Author") == ["Cassandra"])
    }
}
