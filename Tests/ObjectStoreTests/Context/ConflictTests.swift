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

    @Test func whoComesSecondIsTold() throws {
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

    @Test func mineWinsWhereIChangedSomething() throws {
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

    @Test(arguments: [ManagedObjectContext.ConflictPolicy.error, .mineWins])
    func whatIsDeletedCannotBeChanged(policy: ManagedObjectContext.ConflictPolicy) throws {
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

    @Test func mineWinsMayDeleteWhatIsDeleted() throws {
        let (mine, other, id) = try twoContexts()
        mine.conflictPolicy = .mineWins
        let book = try #require(try mine.object(of: Book.self, id: id))
        try other.delete(try #require(try other.object(of: Book.self, id: id)))
        try other.save()
        try mine.delete(book)
        try mine.save()
        #expect(try store.rows("SELECT * FROM Book").isEmpty)
    }

    @Test func aFetchGivesWhatOthersSaved() throws {
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

    @Test func unsavedChangesOfOneDoNotDisturbTheOther() throws {
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

    @Test func aContextThatGoesAwayLeavesNothing() throws {
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
