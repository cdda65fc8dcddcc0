import ObjectStore
import TestSupport
import Testing

@Suite struct FailureTests {
    let temporary = TemporaryStore()

    private func brokenStore() throws -> (BrokenStore, ManagedObjectContext) {
        let model = try Library.model()
        let store = BrokenStore(try SQLiteStore(path: temporary.path, model: model))
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(store)
        return (store, ManagedObjectContext(coordinator: coordinator))
    }

    @Test func failedCommitKeepsChanges() throws {
        let (store, context) = try brokenStore()
        try context.insert(Author.self).name = "Jane"
        store.failsToCommit = true
        #expect(throws: BrokenStore.Failure.self) { try context.save() }
        #expect(context.insertedObjects.count == 1)
        #expect(try temporary.rows("SELECT * FROM Author").isEmpty)
        store.failsToCommit = false
        try context.save()
        #expect(try temporary.rows("SELECT name FROM Author") == ["Jane"])
    }

    @Test func failedBatchReturnsChangesToEveryContext() throws {
        let (store, context) = try brokenStore()
        let kept = try context.insert(Author.self)
        kept.name = "kept"
        let doomed = try context.insert(Author.self)
        doomed.name = "doomed"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.authors.insert(kept)
        try context.save()
        let before = try temporary.contents()
        var sent = 0
        let observation = context.coordinator.observeSaves { _ in sent += 1 }
        store.failsToCommit = true
        #expect(throws: BrokenStore.Failure.self) {
            try context.coordinator.batch {
                kept.name = "renamed"
                let new = try context.insert(Author.self)
                new.name = "new"
                try context.save()
                kept.born = 1775
                new.name = "newer"
                try context.delete(doomed)
                book.authors.remove(kept)
                book.authors.insert(new)
                try context.save()
                try context.updateAll(FetchRequest<Book>(), setting: ["pages": 99])
            }
        }
        #expect(sent == 0)
        #expect(try temporary.contents() == before)
        #expect(book.pages == 0)
        #expect(kept.changedProperties == ["name", "born", "books"])
        #expect(try kept.savedValue(of: "name") == .string("kept"))
        #expect(context.deletedObjects == [doomed])
        #expect(context.insertedObjects.count == 1)
        store.failsToCommit = false
        try context.save()
        #expect(sent == 1)
        #expect(
            try temporary.contents() == [
                "Author: 1|renamed|1775", "Author: 3|newer|NULL", "Author_books: 3|1",
                "Book: 1|Emma|NULL|0|1|NULL|NULL|NULL|NULL",
            ])
        observation.cancel()
    }

    @Test func unreadablePropertyStopsNextSave() throws {
        let (store, context) = try brokenStore()
        let book = try context.insert(Book.self)
        book.title = "Emma"
        let author = try context.insert(Author.self)
        author.name = "Jane"
        author.books.insert(book)
        try context.save()
        try context.refresh(author)
        store.failsToRead = true
        #expect(throws: BrokenStore.Failure.self) { try author.books.all() }
        #expect(context.failure == nil)
        #expect(author.books.isEmpty)
        #expect(context.failure is BrokenStore.Failure)
        author.name = "J."
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .contextFailed)
        store.failsToRead = false
        context.rollback()
        #expect(Array(author.books) == [book])
        author.name = "J."
        try context.save()
    }

    @Test func onlyChangedPropertiesAreWritten() throws {
        let (store, context) = try brokenStore()
        let book = try context.insert(Book.self)
        book.title = "Emma"
        try context.save()
        book.pages = 1
        book.title = "Emma"
        try context.save()
        let rows = store.applied.flatMap(\.rows)
        #expect(rows.map(\.kind) == [.insert, .update])
        let columns = rows[1].entity.columns.indices.filter { rows[1].isChanged($0) }
        #expect(columns.map { rows[1].entity.columns[$0].name } == ["pages"])
        #expect(rows[1].values[2] == .integer(1))
    }

    @Test func textIsNormalized() throws {
        let context = try temporary.context()
        try context.insert(Author.self).name = "Andre\u{301}"
        try context.save()
        #expect(try temporary.rows("SELECT hex(name) FROM Author") == ["416E6472C3A9"])
        #expect(try context.objects(of: Author.self, matching: "name", equals: "Andr\u{e9}").count == 1)
        #expect(try context.objects(of: Author.self, matching: "name", equals: "Andre\u{301}").count == 1)
    }
}
