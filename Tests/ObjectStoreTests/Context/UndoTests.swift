import ObjectStore
import TestSupport
import Testing

@Suite struct UndoTests {
    let store = TemporaryStore()

    @Test func undoIsDisabledByDefault() throws {
        let context = try store.context()
        try context.insert(Author.self).name = "Jane"
        #expect(!context.canUndo)
    }

    @Test func undoAndRedoRestoreValues() throws {
        let context = try store.context()
        context.undoLevels = 10
        let author = try context.insert(Author.self)
        author.name = "Jane"
        context.endUndoGroup()
        author.name = "Jane Austen"
        author.born = 1775
        context.undo()
        #expect(author.name == "Jane")
        #expect(author.born == nil)
        context.redo()
        #expect(author.name == "Jane Austen")
        #expect(author.born == 1775)
        context.undo()
        context.undo()
        #expect(author.isDeleted)
        #expect(!context.canUndo)
        context.redo()
        #expect(author.name == "Jane")
        author.name = "J."
        #expect(!context.canRedo)
        context.endUndoGroup()
        #expect(!context.canRedo)
        context.redo()
        #expect(author.name == "J.")
    }

    @Test func undoOfSavedDeletionRestoresRelationships() throws {
        let context = try store.context()
        context.undoLevels = 10
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.publisher = publisher
        let author = try context.insert(Author.self)
        author.name = "Jane"
        author.books.insert(book)
        let cover = try context.insert(Cover.self)
        cover.image = [1]
        cover.book = book
        try context.save()
        let before = try store.contents()
        try context.delete(book)
        try context.delete(publisher)
        try context.save()
        #expect(try store.rows("SELECT count(*) FROM Book, Cover, Publisher") == ["0"])
        context.undo()
        #expect(book.publisher === publisher)
        #expect(Array(author.books) == [book])
        #expect(book.cover === cover)
        try context.save()
        #expect(try store.contents() == before)
        context.undo()
        try context.save()
        #expect(try store.rows("SELECT count(*) FROM Book") == ["0"])
    }

    @Test func undoOfSavedCascadeRestoresAllObjects() throws {
        let context = try store.context(Library.model(publisherRule: .cascade))
        context.undoLevels = 10
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        for title in ["Emma", "Persuasion"] {
            let book = try context.insert(Book.self)
            book.title = title
            book.publisher = publisher
        }
        try context.save()
        #expect(publisher.books.count == 2)
        try context.delete(publisher)
        try context.save()
        context.undo()
        #expect(publisher.books.map(\.title) == ["Emma", "Persuasion"])
        // A book that the undo did not restore completely would remain after the next deletion, with a
        // dangling reference.
        try context.delete(publisher)
        try context.save()
        #expect(try store.rows("SELECT count(*) FROM Book") == ["0"])
    }

    @Test func redoRestoresUnsavedObjectsAndRelationships() throws {
        let context = try store.context()
        context.undoLevels = 10
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.publisher = publisher
        #expect(publisher.books.count == 1)
        context.undo()
        context.redo()
        #expect(publisher.books.map(\.title) == ["Emma"])
        #expect(book.publisher === publisher)
    }

    @Test func undoLevelsLimitGroups() throws {
        let context = try store.context()
        context.undoLevels = 2
        let author = try context.insert(Author.self)
        for name in ["A", "B", "C", "D"] {
            author.name = name
            context.endUndoGroup()
        }
        context.undo()
        context.undo()
        context.undo()
        #expect(author.name == "B")
    }

    /// Makes random changes, saves and undoes. Undoing everything leads back to the first state, and redoing
    /// everything to the last.
    @Test(arguments: 0..<20) func randomHistoryCanBeUndoneAndRedone(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let context = try store.context(Library.model(publisherRule: .cascade))
        context.undoLevels = 1000
        for step in 0..<60 {
            try changeSomething(context, step, &random)
            context.endUndoGroup()
            if Int.random(in: 0..<5, using: &random) == 0 { try context.save() }
        }
        try context.save()
        let last = try store.contents()
        while context.canUndo {
            context.undo()
            try requireMembers(context)
            if Int.random(in: 0..<4, using: &random) == 0 { try context.save() }
        }
        try context.save()
        #expect(try store.rows("SELECT count(*) FROM Book") == ["0"])
        #expect(try store.rows("SELECT count(*) FROM Author_books") == ["0"])
        while context.canRedo {
            context.redo()
            try requireMembers(context)
            if Int.random(in: 0..<4, using: &random) == 0 { try context.save() }
        }
        try context.save()
        #expect(try store.contents() == last)
    }

    /// Expects that the relationships of the objects agree with fetches.
    private func requireMembers(_ context: ManagedObjectContext) throws {
        for publisher in try context.objects(of: Publisher.self) {
            let books = try context.objects(of: Book.self, matching: "publisher", equals: publisher)
            #expect(Set(publisher.books.map(\.id)) == Set(books.map(\.id)))
        }
        for book in try context.objects(of: Book.self) {
            let authors = try context.fetch(
                FetchRequest<Author>(matching: FetchPredicate("books CONTAINS %@", book)))
            #expect(Set(book.authors.map(\.id)) == Set(authors.map(\.id)))
        }
    }

    private func changeSomething(
        _ context: ManagedObjectContext, _ step: Int, _ random: inout SplitMix
    ) throws {
        let books = try context.objects(of: Book.self)
        let authors = try context.objects(of: Author.self)
        let publishers = try context.objects(of: Publisher.self)
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: try context.insert(Book.self).title = "Book \(step)"
        case 2: try context.insert(Author.self).name = "Author \(step)"
        case 3: books.randomElement(using: &random)?.pages = step
        case 4:
            guard let book = books.randomElement(using: &random) else { return }
            let cover = try context.insert(Cover.self)
            cover.image = [UInt8(step)]
            cover.book = book
        case 5:
            guard let book = books.randomElement(using: &random) else { return }
            if let author = authors.randomElement(using: &random) {
                if book.authors.contains(author) {
                    book.authors.remove(author)
                } else {
                    book.authors.insert(author)
                }
            }
        case 6: try context.insert(Publisher.self).name = "Publisher \(step)"
        case 7, 8: books.randomElement(using: &random)?.publisher = publishers.randomElement(using: &random)
        case 9: if let publisher = publishers.randomElement(using: &random) { try context.delete(publisher) }
        default: if let book = books.randomElement(using: &random) { try context.delete(book) }
        }
        // A cover without a book has to be deleted, or the deletion of books would leave it.
        for cover in try context.objects(of: Cover.self) where cover.book == nil { try context.delete(cover) }
    }
}
