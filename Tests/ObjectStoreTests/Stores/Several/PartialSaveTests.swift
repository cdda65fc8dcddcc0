import ObjectStore
import TestSupport
import Testing

/// The saved and unsaved changes when one of several stores fails.
@Suite struct PartialSaveTests {
    private let stores: [BrokenStore]
    private let coordinator: PersistentStoreCoordinator
    private let context: ManagedObjectContext

    init() throws {
        let model = try Library.model()
        coordinator = PersistentStoreCoordinator(model: model)
        stores = (0..<3).map { _ in BrokenStore(MemoryStore(model: model)) }
        for store in stores { try coordinator.addStore(store) }
        context = ManagedObjectContext(coordinator: coordinator)
    }

    private func insert(_ title: String, in store: Int) throws -> Book {
        let book = try context.insert(Book.self)
        try context.assign(book, to: stores[store])
        book.title = title
        let author = try context.insert(Author.self)
        try context.assign(author, to: stores[store])
        author.name = title
        book.authors.insert(author)
        return book
    }

    /// The number of books that each store has saved.
    private func counts() throws -> [Int] {
        let other = ManagedObjectContext(coordinator: coordinator)
        return try stores.map {
            try other.count(FetchRequest<Book>(affectedStores: [$0.metadata.identifier]))
        }
    }

    @Test func storesBeforeFailureStaySaved() throws {
        let books = try (0..<3).map { try insert("Book \($0)", in: $0) }
        stores[1].failsToCommit = true
        var sent: [SavedChanges] = []
        let observation = coordinator.observeSaves { sent.append($0) }
        let error = #expect(throws: PartialSaveError.self) { try context.save() }
        #expect(error?.saved == [stores[0].name])
        #expect(error?.unsaved == [stores[1].name, stores[2].name])
        #expect(error?.cause is BrokenStore.Failure)
        #expect(try counts() == [1, 0, 0])
        #expect(sent.map { $0.inserted.map(\.store) } == [[nil, nil]])
        #expect(books.map(\.isInserted) == [false, true, true])
        #expect(Set(context.insertedObjects.map(\.entity.name)) == ["Book", "Author"])
        #expect(context.insertedObjects.count == 4)
        // Fetches of the context still see the unsaved changes.
        #expect(
            try context.count(FetchRequest<Book>(matching: FetchPredicate("ANY authors.name != nil"))) == 3)
        books[0].title = "changed meanwhile"
        stores[1].failsToCommit = false
        try context.save()
        #expect(try counts() == [1, 1, 1])
        #expect(!context.hasChanges)
        let other = ManagedObjectContext(coordinator: coordinator)
        #expect(try other.objects(of: Book.self).map { $0.authors.count } == [1, 1, 1])
        observation.cancel()
    }

    @Test func failureOfFirstStoreLeavesAllUnsaved() throws {
        _ = try (0..<3).map { try insert("Book \($0)", in: $0) }
        stores[0].failsToCommit = true
        #expect(throws: BrokenStore.Failure.self) { try context.save() }
        #expect(try counts() == [0, 0, 0])
        #expect(context.insertedObjects.count == 6)
    }

    @Test func validationPrecedesAllSaves() throws {
        _ = try insert("Book", in: 0)
        let second = try insert("", in: 1)
        #expect(throws: ValidationError.self) { try context.save() }
        second.title = "Book"
        try context.save()
        let isbn = try insert("Book 3", in: 0)
        isbn.isbn = "1"
        let same = try insert("Book 4", in: 2)
        same.isbn = "1"
        #expect(throws: ValidationError.self) { try context.save() }
        #expect(try counts() == [1, 1, 0])
    }

    @Test func onlyStoresWithChangesAreNamed() throws {
        _ = try insert("Book 1", in: 1)
        _ = try insert("Book 2", in: 2)
        stores[2].failsToCommit = true
        let error = #expect(throws: PartialSaveError.self) { try context.save() }
        #expect(error?.saved == [stores[1].name] && error?.unsaved == [stores[2].name])
    }

    @Test func rollbackKeepsSavedChanges() throws {
        let books = try (0..<3).map { try insert("Book \($0)", in: $0) }
        stores[2].failsToCommit = true
        #expect(throws: PartialSaveError.self) { try context.save() }
        context.rollback()
        #expect(!context.hasChanges)
        #expect(books.map(\.isDeleted) == [false, false, true])
        #expect(try counts() == [1, 1, 0])
    }

    // MARK: - Batches

    @Test func batchCommitsEachChangedStoreOnce() throws {
        try coordinator.batch {
            for round in 0..<3 {
                for store in 0..<2 { _ = try insert("Book \(round)", in: store) }
                try context.save()
            }
            #expect(stores.map(\.commits) == [0, 0, 0])
        }
        #expect(stores.map(\.commits) == [1, 1, 0])
        #expect(try counts() == [3, 3, 0])
    }

    @Test func batchKeepsStoresBeforeFailure() throws {
        var sent: [SavedChanges] = []
        let observation = coordinator.observeSaves { sent.append($0) }
        stores[1].failsToCommit = true
        let error = #expect(throws: PartialSaveError.self) {
            try coordinator.batch {
                for round in 0..<2 {
                    for store in 0..<3 { _ = try insert("Book \(round)", in: store) }
                    try context.save()
                    #expect(!context.hasChanges)
                }
            }
        }
        #expect(error?.saved == [stores[0].name])
        #expect(error?.unsaved == [stores[1].name, stores[2].name])
        #expect(try counts() == [2, 0, 0])
        #expect(sent.map { Set($0.inserted.map(\.store)) } == [[nil], [nil]])
        #expect(context.insertedObjects.count == 8)
        stores[1].failsToCommit = false
        try context.save()
        #expect(try counts() == [2, 2, 2])
        observation.cancel()
    }

    @Test func updateAllKeepsStoresBeforeFailure() throws {
        let books = try (0..<3).map { try insert("Book \($0)", in: $0) }
        try context.save()
        stores[1].failsToCommit = true
        let error = #expect(throws: PartialSaveError.self) {
            try context.updateAll(FetchRequest<Book>(), setting: ["pages": 7])
        }
        #expect(error?.saved == [stores[0].name])
        #expect(books.map(\.pages) == [7, 0, 0])
        #expect(
            try ManagedObjectContext(coordinator: coordinator).objects(of: Book.self).map(\.pages) == [
                7, 0, 0,
            ])
    }
}
