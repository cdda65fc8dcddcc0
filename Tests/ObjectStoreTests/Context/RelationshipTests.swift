import ObjectStore
import Testing

@Suite struct RelationshipTests {
    let store = TemporaryStore()

    private func book(_ title: String, _ context: ManagedObjectContext) throws -> Book {
        let book = try context.insert(Book.self)
        book.title = title
        return book
    }

    @Test(arguments: [false, true]) func toOneAndToManyEndsFollowEachOther(isSavedBetween: Bool) throws {
        let context = try store.context()
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let rival = try context.insert(Publisher.self)
        rival.name = "Egerton"
        let emma = try book("Emma", context)
        let persuasion = try book("Persuasion", context)
        emma.publisher = publisher
        publisher.books.insert(persuasion)
        if isSavedBetween { try context.save() }
        #expect(Array(publisher.books) == [emma, persuasion])
        #expect(persuasion.publisher === publisher)
        rival.books.insert(emma)
        #expect(Array(publisher.books) == [persuasion])
        #expect(Array(rival.books) == [emma])
        publisher.books.remove(persuasion)
        #expect(persuasion.publisher == nil)
        #expect(publisher.books.isEmpty)
        try context.save()
        #expect(
            try store.rows("SELECT title, publisher FROM Book ORDER BY id") == ["Emma|2", "Persuasion|NULL"])
    }

    @Test func oneToOneRelationshipHasOnePartner() throws {
        let context = try store.context()
        let first = try book("A", context)
        let second = try book("B", context)
        let cover = try context.insert(Cover.self)
        cover.image = [1]
        first.cover = cover
        #expect(cover.book === first)
        second.cover = cover
        #expect(cover.book === second)
        #expect(first.cover == nil)
        cover.book = first
        #expect(first.cover === cover)
        #expect(second.cover == nil)
        try context.save()
        #expect(try store.rows("SELECT id, cover FROM Book ORDER BY id") == ["1|1", "2|NULL"])
        #expect(try store.rows("SELECT id, book FROM Cover") == ["1|1"])
    }

    @Test(arguments: [false, true]) func manyToManyPairsAreKept(isSavedBetween: Bool) throws {
        let context = try store.context()
        let emma = try book("Emma", context)
        let letters = try book("Letters", context)
        let jane = try context.insert(Author.self)
        jane.name = "Jane"
        let cassandra = try context.insert(Author.self)
        cassandra.name = "Cassandra"
        emma.authors.insert(jane)
        jane.books.insert(letters)
        letters.authors.insert(cassandra)
        if isSavedBetween { try context.save() }
        #expect(Array(letters.authors) == [jane, cassandra])
        #expect(Array(jane.books) == [emma, letters])
        jane.books.remove(letters)
        #expect(Array(letters.authors) == [cassandra])
        try context.save()
        #expect(try store.rows("SELECT * FROM Author_books ORDER BY 1, 2") == ["1|1", "2|2"])
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(try other.object(of: Book.self, matching: "title", equals: "Letters"))
        #expect(read.authors.map(\.name) == ["Cassandra"])
    }

    @Test func deletionNullifiesReferences() throws {
        let context = try store.context()
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let emma = try book("Emma", context)
        emma.publisher = publisher
        try context.save()
        try context.delete(publisher)
        #expect(emma.publisher == nil)
        try context.save()
        #expect(try store.rows("SELECT title, publisher FROM Book") == ["Emma|NULL"])
        #expect(try store.rows("SELECT * FROM Publisher").isEmpty)
    }

    @Test func deletionCascades() throws {
        let context = try store.context()
        let emma = try book("Emma", context)
        let cover = try context.insert(Cover.self)
        cover.image = [1]
        emma.cover = cover
        let jane = try context.insert(Author.self)
        jane.name = "Jane"
        emma.authors.insert(jane)
        try context.save()
        try context.delete(emma)
        #expect(cover.isDeleted)
        #expect(jane.books.isEmpty)
        try context.save()
        #expect(try store.rows("SELECT count(*) FROM Cover") == ["0"])
        #expect(try store.rows("SELECT count(*) FROM Author_books") == ["0"])
        #expect(try store.rows("SELECT count(*) FROM Author") == ["1"])
    }

    @Test func deniedDeletionNamesRemainingObject() throws {
        let context = try store.context(Library.model(publisherRule: .deny))
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let emma = try book("Emma", context)
        emma.publisher = publisher
        try context.save()
        let error = #expect(throws: DeleteDeniedError.self) { try context.delete(publisher) }
        #expect(error?.description == "Publisher 1 cannot be deleted: Publisher 1.books still has Book 1")
        #expect(!context.hasChanges)
        try context.delete(emma)
        try context.delete(publisher)
        try context.save()
        #expect(try store.rows("SELECT * FROM Publisher").isEmpty)
    }

    @Test func danglingReferenceIsNotSaved() throws {
        let context = try store.context(Library.model(publisherRule: .noAction))
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let emma = try book("Emma", context)
        emma.publisher = publisher
        try context.save()
        try context.delete(publisher)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .danglingReference)
        #expect(error?.message.contains("Book 1") == true)
        emma.publisher = nil
        try context.save()
        #expect(try store.rows("SELECT * FROM Publisher").isEmpty)
    }
}
