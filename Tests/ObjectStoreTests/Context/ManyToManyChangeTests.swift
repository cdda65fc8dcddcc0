import Glibc
import ObjectStore
import TestSupport
import Testing

/// Changes that only concern many-to-many relationships.
@Suite struct ManyToManyChangeTests {
    let directory = TemporaryStore()

    private struct Shelf {
        let context: ManagedObjectContext
        let emma: Book
        let jane: Author
        let cassandra: Author
    }

    private func shelf(_ kind: TestedStore) throws -> Shelf {
        let context = try kind.shelf(in: directory)
        return Shelf(
            context: context,
            emma: try #require(try context.object(of: Book.self, matching: "title", equals: "Emma")),
            jane: try #require(try context.object(of: Author.self, matching: "name", equals: "Jane")),
            cassandra: try #require(
                try context.object(of: Author.self, matching: "name", equals: "Cassandra")))
    }

    /// O3: Both ends are updated objects, and the save reports both.
    @Test(arguments: TestedStore.allCases, [true, false])
    func changeOfPairsIsReported(_ kind: TestedStore, isAdded: Bool) throws {
        let shelf = try shelf(kind)
        let (context, emma) = (shelf.context, shelf.emma)
        let author = isAdded ? shelf.cassandra : shelf.jane
        var saved: [SavedChanges] = []
        let observations = [
            context.coordinator.observeSaves { saved.append($0) },
            context.observe { if case .saved(let changes) = $0 { saved.append(changes) } },
        ]
        if isAdded { emma.authors.insert(author) } else { author.books.remove(emma) }
        #expect(context.hasChanges)
        #expect(emma.hasChanges && author.hasChanges)
        #expect(emma.isUpdated && author.isUpdated)
        #expect(emma.changedProperties == ["authors"])
        #expect(author.changedProperties == ["books"])
        #expect(Set(context.updatedObjects) == [emma, author])
        #expect(Set(context.changedObjects) == [emma, author])
        // A fetch writes the change, which is still unsaved.
        #expect(
            try context.count(FetchRequest<Book>(matching: FetchPredicate("authors CONTAINS %@", author))) > 0
        )
        #expect(Set(context.updatedObjects) == [emma, author])
        try context.save()
        #expect(saved.count == 2)
        for changes in saved {
            #expect(Set(changes.updated) == [emma.objectID, author.objectID])
            #expect(changes.inserted.isEmpty && changes.deleted.isEmpty)
        }
        #expect(!context.hasChanges && !emma.hasChanges && !author.hasChanges)
        #expect(emma.changedProperties.isEmpty)
        withExtendedLifetime(observations) {}
    }

    /// O3: A change that is reverted before the save is not reported.
    @Test(arguments: TestedStore.allCases)
    func revertedChangeIsNotReported(_ kind: TestedStore) throws {
        let shelf = try shelf(kind)
        let (context, emma) = (shelf.context, shelf.emma)
        var saves = 0
        let observation = context.coordinator.observeSaves { _ in saves += 1 }
        emma.authors.insert(shelf.cassandra)
        emma.authors.remove(shelf.cassandra)
        shelf.jane.books.remove(emma)
        shelf.jane.books.insert(emma)
        #expect(!context.hasChanges)
        #expect(context.updatedObjects.isEmpty)
        #expect(!emma.hasChanges)
        try context.save()
        #expect(saves == 0)
        withExtendedLifetime(observation) {}
    }

    /// O3: Rollback and undo leave no change to report.
    @Test(arguments: TestedStore.allCases)
    func rollbackAndUndoLeaveNoChange(_ kind: TestedStore) throws {
        let shelf = try shelf(kind)
        let (context, emma) = (shelf.context, shelf.emma)
        emma.authors.insert(shelf.cassandra)
        context.rollback()
        #expect(!emma.hasChanges && !shelf.cassandra.hasChanges && context.updatedObjects.isEmpty)
        context.undoLevels = 5
        emma.authors.insert(shelf.cassandra)
        context.undo()
        #expect(!context.hasChanges && context.updatedObjects.isEmpty)
        context.redo()
        #expect(Set(context.updatedObjects) == [emma, shelf.cassandra])
        try context.save()
        #expect(emma.authors.count == 2)
    }

    /// O3: New and deleted objects are reported as such, and the objects at the other ends as updated.
    @Test(arguments: TestedStore.allCases)
    func otherEndsOfNewAndDeletedObjectsAreUpdated(_ kind: TestedStore) throws {
        let shelf = try shelf(kind)
        let context = shelf.context
        var saved = SavedChanges()
        let observation = context.coordinator.observeSaves { saved.append($0) }
        let book = try context.insert(Book.self)
        book.title = "Sanditon"
        book.authors.insert(shelf.cassandra)
        try context.delete(shelf.emma)
        try context.save()
        #expect(saved.inserted == [book.objectID])
        #expect(saved.deleted.contains(shelf.emma.objectID))
        #expect(Set(saved.updated) == [shelf.cassandra.objectID, shelf.jane.objectID])
        withExtendedLifetime(observation) {}
    }

    /// O3: `deleteAll` reports the objects at the other ends as updated, too.
    @Test(arguments: TestedStore.allCases)
    func deleteAllUpdatesOtherEnds(_ kind: TestedStore) throws {
        let shelf = try shelf(kind)
        let context = shelf.context
        shelf.emma.authors.insert(shelf.cassandra)
        try context.save()
        var saved = SavedChanges()
        let observation = context.coordinator.observeSaves { saved.append($0) }
        let books = FetchRequest<Book>(
            matching: try FetchPredicate("title ==[c] %@ OR title == %@", "emma", "Persuasion"))
        #expect(try context.deleteAll(books) == 5)
        #expect(saved.updated.sorted { $0.id < $1.id } == [shelf.jane.objectID, shelf.cassandra.objectID])
        #expect(saved.deleted.count == 5)
        #expect(shelf.jane.books.map(\.title) == ["Mansfield Park"])
        withExtendedLifetime(observation) {}
    }

    /// `deleteAll` discards the unsaved pairs of the objects that it deletes.
    @Test(arguments: TestedStore.allCases, [true, false])
    func deleteAllDiscardsUnsavedPairs(_ kind: TestedStore, isWritten: Bool) throws {
        let shelf = try shelf(kind)
        let context = shelf.context
        context.undoLevels = 10
        let emma = shelf.emma
        let others = shelf.cassandra.books.map(\.title)
        emma.authors.insert(shelf.cassandra)
        let new = try context.insert(Author.self)
        new.name = "New"
        emma.authors.insert(new)
        shelf.jane.books.remove(emma)
        let persuasion = try #require(
            try context.object(of: Book.self, matching: "title", equals: "Persuasion"))
        persuasion.authors.insert(new)
        if isWritten { #expect(try context.count(FetchRequest<Author>()) == 3) }
        let isEmma = FetchRequest<Book>(matching: try FetchPredicate("title == 'Emma'"))
        try context.deleteAll(isEmma)
        #expect(shelf.cassandra.books.map(\.title) == others && !shelf.cassandra.hasChanges)
        #expect(!shelf.jane.hasChanges && shelf.jane.books.count == 2)
        #expect(new.books.map(\.title) == ["Persuasion"])
        try context.save()
        #expect(shelf.cassandra.books.map(\.title) == others && new.books.count == 1)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let authors = try other.fetch(FetchRequest<Author>(orderedBy: [FetchOrder("id")]))
        #expect(authors.map(\.books.count) == [2, others.count, 1])
        context.undo()
        try context.save()
        #expect(!context.hasChanges)
    }

    /// The changed pairs of an object are found without a search of all changed pairs.
    ///
    /// With a search, eight times as many objects would need 64 times as long.
    @Test func changedPropertiesOfManyObjectsAreFound() throws {
        let few = try timeForChangedProperties(of: 2_000)
        #expect(try timeForChangedProperties(of: 16_000) < few * 32)
    }

    /// Returns the processor time in seconds that the changed properties of many objects take.
    private func timeForChangedProperties(of count: Int) throws -> Double {
        let context = try TestedStore.memory.context(in: TemporaryStore())
        let authors = try (0..<2).map { number in
            let author = try context.insert(Author.self)
            author.name = "\(number)"
            return author
        }
        let books = try (0..<count).map { number in
            let book = try context.insert(Book.self)
            book.title = "\(number)"
            return book
        }
        try context.save()
        for (number, book) in books.enumerated() { book.authors.insert(authors[number % 2]) }
        let start = Self.processorTime()
        var changed = 0
        for book in books where book.changedProperties == ["authors"] { changed += 1 }
        #expect(changed == books.count)
        #expect(authors.map(\.changedProperties) == [["books"], ["books"]])
        for book in books.dropFirst(2) { book.authors.removeAll() }
        #expect(books.count { !$0.changedProperties.isEmpty } == 2)
        let time = Self.processorTime() - start
        try context.refresh(books[0])
        #expect(authors.map(\.changedProperties) == [[], ["books"]])
        books[0].authors.insert(authors[0])
        #expect(authors[0].changedProperties == ["books"] && books[0].changedProperties == ["authors"])
        try context.save()
        #expect(authors.map(\.changedProperties) == [[], []])
        #expect(authors.map(\.books.count) == [1, 1])
        return time
    }

    /// Returns the processor time of this thread in seconds, which other tests do not lengthen.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// O3: When a batch fails, the change is an unsaved change of both objects again.
    @Test func changeOfFailedBatchIsUnsavedAgain() throws {
        let model = try Library.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        let store = BrokenStore(try TestedStore.memory.open(in: directory, model))
        try coordinator.addStore(store)
        let context = ManagedObjectContext(coordinator: coordinator)
        let book = try context.insert(Book.self)
        book.title = "Emma"
        let author = try context.insert(Author.self)
        author.name = "Jane"
        try context.save()
        store.failsToCommit = true
        #expect(throws: BrokenStore.Failure.self) {
            try coordinator.batch {
                book.authors.insert(author)
                try context.save()
                #expect(!context.hasChanges)
            }
        }
        #expect(Set(context.updatedObjects) == [book, author])
        store.failsToCommit = false
        try context.save()
        #expect(!context.hasChanges)
        #expect(try context.rows(FetchRequest<Book>(), of: ["authors.@count"])[0][0] == .integer(1))
    }

    /// O3: A pair is a conflict if another context deleted the object at its other end. A refresh resolves it.
    @Test(arguments: TestedStore.allCases)
    func pairWithAnObjectDeletedElsewhereIsAConflict(_ kind: TestedStore) throws {
        let shelf = try shelf(kind)
        let context = shelf.context
        shelf.emma.authors.insert(shelf.cassandra)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        try other.delete(try #require(try other.object(of: Author.self, id: shelf.cassandra.id)))
        try other.save()
        #expect(try context.count(FetchRequest<Book>()) == 5)
        let error = #expect(throws: ConflictError.self) { try context.save() }
        #expect(error?.objects == [shelf.cassandra.objectID])
        try context.refresh(shelf.cassandra)
        #expect(shelf.cassandra.isDeleted)
        try context.save()
        #expect(shelf.emma.authors.map(\.name) == ["Jane"])
    }
}
