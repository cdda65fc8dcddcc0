import TestSupport
import Testing

@testable import ObjectStore

/// Contexts that change the same objects, in every kind of store.
@Suite struct SeveralContextsTests {
    let directory = TemporaryStore()

    /// A context with the books of a shelf, and a function that changes the store with a context that is
    /// released afterwards.
    private func shelf(
        _ kind: TestedStore
    ) throws -> (ManagedObjectContext, ((ManagedObjectContext) throws -> Void) throws -> Void) {
        let main = try kind.shelf(in: directory)
        let coordinator = main.coordinator
        return (
            main,
            { body in
                let other = ManagedObjectContext(coordinator: coordinator)
                try body(other)
                try other.save()
            }
        )
    }

    private func book(_ title: String, _ context: ManagedObjectContext) throws -> Book {
        try #require(try context.object(of: Book.self, matching: "title", equals: title))
    }

    // MARK: - A released context

    /// O1: A save is still known after the context that made it was released.
    @Test(arguments: TestedStore.allCases)
    func saveOfAReleasedContextIsFetched(_ kind: TestedStore) throws {
        let (main, inOther) = try shelf(kind)
        let emma = try book("Emma", main)
        try inOther { try self.book("Emma", $0).title = "E." }
        #expect(try book("E.", main) === emma)
        #expect(emma.title == "E.")
    }

    @Test(arguments: TestedStore.allCases)
    func saveOfAReleasedContextIsAConflict(_ kind: TestedStore) throws {
        let (main, inOther) = try shelf(kind)
        let emma = try book("Emma", main)
        let persuasion = try book("Persuasion", main)
        try inOther { try self.book("Emma", $0).title = "E." }
        emma.title = "Emma, revised"
        persuasion.title = "Persuasion, revised"
        let error = #expect(throws: ConflictError.self) { try main.save() }
        #expect(error?.objects == [emma.objectID])
        try main.refresh(emma)
        #expect(emma.title == "E.")
        try main.save()
        let titles = try main.rows(FetchRequest<Book>(orderedBy: [FetchOrder("id")]), of: ["title"])
        #expect(titles.contains { $0[0] == .string("E.") })
        #expect(titles.contains { $0[0] == .string("Persuasion, revised") })
    }

    @Test(arguments: TestedStore.allCases, [ManagedObjectContext.ConflictPolicy.mineWins, .theirsWins])
    func policyAppliesToTheSaveOfAReleasedContext(
        _ kind: TestedStore, _ policy: ManagedObjectContext.ConflictPolicy
    ) throws {
        let (main, inOther) = try shelf(kind)
        main.conflictPolicy = policy
        let emma = try book("Emma", main)
        try inOther {
            let emma = try self.book("Emma", $0)
            emma.title = "E."
            emma.pages = 1
        }
        emma.title = "Emma, revised"
        try main.save()
        #expect(emma.title == (policy == .mineWins ? "Emma, revised" : "E."))
        #expect(emma.pages == 1)
    }

    /// O1: The saves of `updateAll`, `updateEach` and `deleteAll` are known as well.
    @Test(arguments: TestedStore.allCases)
    func directChangesOfAReleasedContextAreKnown(_ kind: TestedStore) throws {
        let (main, inOther) = try shelf(kind)
        let (emma, persuasion) = (try book("Emma", main), try book("Persuasion", main))
        let park = try book("Mansfield Park", main)
        try inOther {
            try $0.updateAll(
                FetchRequest<Book>(matching: FetchPredicate("title == %@", "Emma")), setting: ["pages": 1])
            var updates = ObjectUpdates(of: Book.self, setting: ["pages"])
            updates.append(id: park.id, values: [.integer(2)])
            try $0.updateEach([updates])
            try $0.deleteAll(FetchRequest<Book>(matching: FetchPredicate("title == %@", "Persuasion")))
        }
        emma.inPrint = false
        park.inPrint = false
        persuasion.inPrint = false
        let error = #expect(throws: ConflictError.self) { try main.save() }
        #expect(error.map { Set($0.objects) } == [emma.objectID, park.objectID, persuasion.objectID])
        main.rollback()
        #expect(try main.objects(of: Book.self).contains(emma))
        #expect(emma.pages == 1)
        #expect(try main.object(of: Book.self, id: park.id)?.pages == 2)
        #expect(try main.object(of: Book.self, id: persuasion.id) == nil)
    }

    // MARK: - The history

    /// O11: Entries that every context has read are not kept.
    @Test func historyKeepsEntriesThatAContextHasNotRead() throws {
        let (main, _) = try shelf(.memory)
        let other = ManagedObjectContext(coordinator: main.coordinator)
        let history = main.coordinator.history
        for round in 1...3 {
            for book in try other.objects(of: Book.self) { book.pages += round }
            try other.save()
            #expect(history.entryCount == 5)
            #expect(try main.objects(of: Book.self).count == 5)
            #expect(history.entryCount == 0)
        }
    }

    /// O11: The history of a context that never reads has a limited size. Its conflicts are found all the same.
    @Test(arguments: [TestedStore.sqlite, .memory])
    func historyIsBoundedAndConflictIsStillFound(_ kind: TestedStore) throws {
        let (main, _) = try shelf(kind)
        let (emma, persuasion) = (try book("Emma", main), try book("Persuasion", main))
        let idle = ManagedObjectContext(coordinator: main.coordinator)
        let other = ManagedObjectContext(coordinator: main.coordinator)
        try book("Emma", other).title = "E."
        try other.save()
        let all = FetchRequest<Book>()
        for round in 0...ChangeHistory.limit / 5 {
            try other.updateAll(all, setting: ["inPrint": round % 2 == 0])
        }
        #expect(main.coordinator.history.entryCount <= ChangeHistory.limit)
        emma.title = "Emma, revised"
        persuasion.rating = 5
        let error = #expect(throws: ConflictError.self) { try main.save() }
        #expect(error?.objects.contains(emma.objectID) == true)
        main.rollback()
        #expect(try book("E.", main) === emma)
        #expect(emma.title == "E.")
        withExtendedLifetime(idle) {}
    }

    /// O11: After entries were lost, an object that was not changed by another context can be saved.
    @Test(arguments: TestedStore.allCases)
    func possiblyOutdatedObjectWithoutConflictIsSaved(_ kind: TestedStore) throws {
        let (main, _) = try shelf(kind)
        let emma = try book("Emma", main)
        let persuasion = try book("Persuasion", main)
        main.coordinator.history.distrustObjects()
        emma.title = "Emma, revised"
        try main.delete(persuasion)
        #expect(try main.count(FetchRequest<Book>()) == 4)
        try main.save()
        #expect(try main.rows(FetchRequest<Book>(), of: [.count])[0][0] == .integer(4))
        #expect(try book("Emma, revised", main) === emma)
    }

    /// O2: An object that cannot be read again keeps its values. An operation that needs a current value throws.
    @Test func unreadableObjectStaysPossiblyOutdated() throws {
        let model = try Library.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        let store = BrokenStore(try TestedStore.memory.open(in: directory, model))
        try coordinator.addStore(store)
        let main = ManagedObjectContext(coordinator: coordinator)
        let emma = try main.insert(Book.self)
        emma.title = "Emma"
        emma.publisher = try main.insert(Publisher.self)
        emma.publisher?.name = "Murray"
        try main.save()
        coordinator.history.distrustObjects()
        store.failsToRead = true
        main.refreshReadable()
        #expect(!emma.isDeleted)
        #expect(emma.title == "Emma")
        #expect(throws: BrokenStore.Failure.self) { try main.object(of: Book.self, id: emma.id) }
        #expect(throws: BrokenStore.Failure.self) { try emma.target(of: "publisher") }
        #expect(emma.publisher == nil && main.failure is BrokenStore.Failure)
        main.rollback()
        store.failsToRead = false
        #expect(try main.object(of: Book.self, id: emma.id) === emma)
        #expect(emma.publisher?.name == "Murray")
    }

    /// O2: A context that has read all objects again compares none of them when it saves.
    @Test(arguments: TestedStore.allCases)
    func objectsAreOutdatedUntilTheyAreRead(_ kind: TestedStore) throws {
        let (main, _) = try shelf(kind)
        let emma = try book("Emma", main)
        var persuasion: Book? = try book("Persuasion", main)
        main.coordinator.history.distrustObjects()
        #expect(try main.object(of: Book.self, id: emma.id) === emma)
        #expect(main.hasOutdatedObjects)
        withExtendedLifetime(persuasion) {}
        persuasion = nil
        _ = try main.fetch(FetchRequest<Book>())
        try main.refreshAll()
        #expect(!main.hasOutdatedObjects)
        emma.title = "E."
        try main.save()
        #expect(!main.hasOutdatedObjects)
    }

    /// An object that was read inside a batch has the values of the store again when the batch fails.
    @Test func objectReadInAFailedBatchIsReadAgain() throws {
        let model = try Library.model()
        let coordinator = PersistentStoreCoordinator(model: model)
        let store = BrokenStore(try TestedStore.memory.open(in: directory, model))
        try coordinator.addStore(store)
        let main = ManagedObjectContext(coordinator: coordinator)
        let emma = try main.insert(Book.self)
        emma.title = "Emma"
        try main.save()
        let other = ManagedObjectContext(coordinator: coordinator)
        let same = try book("Emma", other)
        store.failsToCommit = true
        #expect(throws: BrokenStore.Failure.self) {
            try coordinator.batch {
                emma.title = "E."
                try main.save()
                #expect(try book("E.", other) === same)
            }
        }
        store.failsToCommit = false
        #expect(try other.objects(of: Book.self).map(\.title) == ["Emma"])
        #expect(emma.title == "E.")
        try main.save()
        #expect(try other.objects(of: Book.self).map(\.title) == ["E."])
    }

    // MARK: - Deleted elsewhere

    /// O6: An object that another context deleted is not found by its id, nor through a relationship.
    @Test(arguments: TestedStore.allCases, [false, true])
    func objectDeletedElsewhereIsNotFound(_ kind: TestedStore, isReleased: Bool) throws {
        let main = try kind.shelf(in: directory)
        let emma = try book("Emma", main)
        let cover = try #require(emma.cover)
        let murray = try #require(emma.publisher)
        let books = Array(murray.books)
        let other = ManagedObjectContext(coordinator: main.coordinator)
        try other.delete(try book("Emma", other))
        try other.save()
        let kept = isReleased ? nil : other
        #expect(try main.object(of: Book.self, id: emma.id) == nil)
        #expect(try main.object(cover.objectID) == nil)
        #expect(emma.isDeleted)
        #expect(murray.books.map(\.title) == ["Persuasion"])
        #expect(books.count == 2)
        withExtendedLifetime(kept) {}
    }

    /// O6: The id of an object that another context deleted is free.
    @Test(arguments: TestedStore.allCases)
    func idOfObjectDeletedElsewhereCanBeInserted(_ kind: TestedStore) throws {
        let (main, inOther) = try shelf(kind)
        let emma = try book("Emma", main)
        try inOther { try $0.delete(try self.book("Emma", $0)) }
        let again = try #require(try main.insert(entity: "Book", id: emma.id) as? Book)
        again.title = "Emma again"
        try main.save()
        #expect(again !== emma)
        #expect(try main.object(of: Book.self, id: emma.id) === again)
    }

    @Test(arguments: TestedStore.allCases)
    func targetDeletedElsewhereIsNil(_ kind: TestedStore) throws {
        let (main, inOther) = try shelf(kind)
        let emma = try book("Emma", main)
        let murray = try #require(emma.publisher)
        try inOther {
            try $0.delete(try #require(try $0.object(of: Publisher.self, id: murray.id)))
        }
        #expect(emma.publisher == nil)
        #expect(try book("Emma", main).publisher == nil)
        #expect(murray.isDeleted)
        #expect(murray.books.isEmpty)
    }

    /// O7: While a changed object is deleted in another context, fetches succeed, and the save reports the
    /// conflict.
    @Test(arguments: TestedStore.allCases, [false, true])
    func fetchesSucceedIfChangedObjectIsDeletedElsewhere(_ kind: TestedStore, isDeletedFirst: Bool) throws {
        let (main, inOther) = try shelf(kind)
        let emma = try book("Emma", main)
        let persuasion = try book("Persuasion", main)
        if !isDeletedFirst { emma.pages = 1 }
        try inOther { try $0.delete(try self.book("Emma", $0)) }
        if isDeletedFirst { emma.pages = 1 }
        persuasion.pages = 2
        #expect(try main.count(FetchRequest<Book>()) == 4)
        #expect(try book("Persuasion", main).pages == 2)
        #expect(try main.objects(of: Book.self, matching: "pages", equals: 1).isEmpty)
        #expect(persuasion.publisher?.books.map(\.title) == ["Persuasion"])
        emma.rating = 1
        #expect(try main.count(FetchRequest<Book>(matching: FetchPredicate("rating == 1"))) == 1)
        let error = #expect(throws: ConflictError.self) { try main.save() }
        #expect(error?.objects == [emma.objectID])
        // The object is available by its object ID while its change is pending.
        let named = try #require(try main.object(emma.objectID))
        try main.refresh(named)
        #expect(emma.isDeleted)
        try main.save()
        #expect(try main.rows(FetchRequest<Book>(), of: ["pages"]).contains { $0[0] == .integer(2) })
    }

    // MARK: - Relationships

    /// O8: The members of a relationship refer to its owner, also members that another context added.
    @Test(arguments: TestedStore.allCases, [false, true])
    func membersReferToTheirOwner(_ kind: TestedStore, hasUnsavedChanges: Bool) throws {
        let (main, inOther) = try shelf(kind)
        let lower = try book("emma", main)
        let emma = try book("Emma", main)
        let (murray, egerton) = (
            try #require(emma.publisher), try #require(try book("Mansfield Park", main).publisher)
        )
        if hasUnsavedChanges {
            lower.title = "emma, unsaved"
            emma.title = "Emma, unsaved"
        }
        try inOther { other in
            let murray = try #require(try other.object(of: Publisher.self, id: murray.id))
            let egerton = try #require(try other.object(of: Publisher.self, id: egerton.id))
            try self.book("emma", other).publisher = murray
            try self.book("Emma", other).publisher = egerton
        }
        for publisher in [murray, egerton] {
            #expect(publisher.books.contains { $0 === lower } == (publisher === murray))
            #expect(publisher.books.contains { $0 === emma } == (publisher === egerton))
            #expect(publisher.books.allSatisfy { $0.publisher === publisher })
        }
        #expect(lower.publisher === murray)
        if hasUnsavedChanges {
            #expect(lower.title == "emma, unsaved")
            let error = #expect(throws: ConflictError.self) { try main.save() }
            #expect(error.map { Set($0.objects) } == [lower.objectID, emma.objectID])
        } else {
            try main.save()
        }
    }
}
