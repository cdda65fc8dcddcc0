import ObjectStore
import Testing

/// Changes that are refused when they are made, in places that cannot throw. The next save reports them.
@Suite struct RefusedChangeTests {
    let directory = TemporaryStore()

    /// Returns the error of the save after a change, and rolls back.
    private func refusal(in context: ManagedObjectContext, _ change: () throws -> Void) rethrows -> String? {
        try change()
        defer { context.rollback() }
        return #expect(throws: PropertyError.self) { try context.save() }?.description
    }

    private func shelf(_ kind: TestedStore) throws -> (ManagedObjectContext, Book) {
        let context = try kind.shelf(in: directory)
        return (context, try #require(try context.object(of: Book.self, id: 1)))
    }

    @Test(arguments: TestedStore.allCases)
    func relationshipRefusesDeletedObject(_ kind: TestedStore) throws {
        let (context, book) = try shelf(kind)
        let publisher = try context.insert(Publisher.self)
        let author = try context.insert(Author.self)
        let deletions = {
            for object in [publisher, author] as [ManagedObject] { try context.delete(object) }
        }
        try deletions()
        let ofPublisher = "Book.publisher of Book 1 cannot refer to \(publisher.objectID), which is deleted"
        let ofAuthor = "Book.authors of Book 1 cannot refer to \(author.objectID), which is deleted"
        let publishers = Set([book.publisher])
        #expect(refusal(in: context) { book.publisher = publisher } == ofPublisher)
        #expect(refusal(in: context) { book.authors.insert(author) } == ofAuthor)
        #expect(refusal(in: context) { book.authors.replace(with: [author]) } == ofAuthor)
        let thrown = #expect(throws: PropertyError.self) { try book.setTarget(publisher, of: "publisher") }
        #expect(thrown?.description == ofPublisher)
        #expect([book.publisher] == publishers)
        #expect(!book.authors.contains(author))
        try context.save()
    }

    @Test(arguments: TestedStore.allCases)
    func deletedObjectIsNotChanged(_ kind: TestedStore) throws {
        let (context, book) = try shelf(kind)
        let author = try context.insert(Author.self)
        author.name = "A"
        try context.save()
        let changes: [(String, (Book) throws -> Void)] = [
            ("title", { $0.title = "changed" }),
            ("publisher", { $0.publisher = nil }),
            ("authors", { $0.authors.insert(author) }),
        ]
        for (name, change) in changes {
            try context.delete(book)
            let text = try refusal(in: context) { try change(book) }
            #expect(text == "Book.\(name) cannot be changed: Book 1 is deleted")
        }
        #expect(book.title == "Emma")
        try context.save()
    }

    @Test func deletionByOtherContextMakesNextSaveOfChangeFail() throws {
        let (context, book) = try shelf(.memory)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        try other.delete(#require(try other.object(of: Book.self, id: 1)))
        try other.save()
        try context.refresh(book)
        #expect(
            refusal(in: context) { book.title = "x" } == "Book.title cannot be changed: Book 1 is deleted")
    }

    @Test func relationshipRefusesObjectOfOtherContext() throws {
        let (context, book) = try shelf(.memory)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let publisher = try #require(try other.object(of: Publisher.self, id: 1))
        let author = try #require(try other.object(of: Author.self, id: 1))
        let reason = "which belongs to another context"
        #expect(
            refusal(in: context) { book.publisher = publisher }
                == "Book.publisher of Book 1 cannot refer to Publisher 1, \(reason)")
        let ofAuthor = "Book.authors of Book 1 cannot refer to Author 1, \(reason)"
        #expect(refusal(in: context) { book.authors.insert(author) } == ofAuthor)
        #expect(refusal(in: context) { book.authors.remove(author) } == ofAuthor)
        #expect(book.authors.count == 1)
    }

    @Test func relationshipByNameRefusesObjectOfOtherEntity() throws {
        let (context, book) = try shelf(.memory)
        let cover = try context.insert(Cover.self)
        let authors = try book.objects(of: "authors")
        #expect(!authors.contains(cover))
        #expect(
            refusal(in: context) { authors.insert(cover) }
                == "Book.authors of Book 1 cannot refer to \(cover.objectID), which is no Author")
    }
}
