import Foundation
import ObjectStore
import TestSupport
import Testing

/// The behavior that every kind of store shares.
@Suite struct StoreConformanceTests {
    let directory = TemporaryStore()

    // MARK: - Objects

    @Test(arguments: TestedStore.allCases)
    func objectsAreInsertedChangedAndDeleted(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let jane = try context.insert(Author.self)
        jane.name = "Jane"
        jane.born = 1775
        let mary = try context.insert(Author.self)
        mary.name = "Mary"
        try context.save()
        jane.name = "Jane Austen"
        jane.born = nil
        try context.delete(mary)
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(try other.object(of: Author.self, id: jane.id))
        #expect(read.name == "Jane Austen")
        #expect(read.born == nil)
        #expect(try other.object(of: Author.self, id: mary.id) == nil)
        #expect(try other.count(FetchRequest<Author>()) == 1)
    }

    @Test(arguments: TestedStore.allCases)
    func everyValueIsReadBackUnchanged(_ kind: TestedStore) throws {
        let model = try Sample.model()
        let context = try kind.context(in: directory, model)
        try Sample.fill(context)
        let expected = try MemoryStore.context(model)
        try Sample.fill(expected)
        #expect(try context.contents() == expected.contents())
        #expect(try context.largestIDs() == expected.largestIDs())
    }

    @Test(arguments: TestedStore.allCases)
    func unsavedChangeOfFetchedObjectIsNotInStore(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        try context.insert(Author.self).name = "Jane"
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let jane = try #require(try other.objects(of: Author.self).first)
        jane.name = "changed, not saved"
        let third = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try third.objects(of: Author.self).first?.name == "Jane")
    }

    @Test(arguments: TestedStore.allCases)
    func idsAreNeverReused(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let author = try context.insert(Author.self)
        author.name = "gone"
        try context.save()
        try context.delete(author)
        try context.save()
        let entity = try #require(context.model.entity(named: "Author"))
        #expect(try context.store.largestID(of: entity) == author.id)
        let book = try #require(context.model.entity(named: "Book"))
        #expect(try context.store.largestID(of: book) == 0)
    }

    @Test(arguments: TestedStore.allCases)
    func objectCanBeInsertedAgainWithItsID(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let authors = try ["A", "B", "C"].map { name in
            let author = try context.insert(Author.self)
            author.name = name
            return author
        }
        try context.save()
        let (id, last) = (authors[0].id, authors[2].id)
        #expect(throws: StoreError.self) { try context.insert(entity: "Author", id: id) }
        for author in authors { try context.delete(author) }
        #expect(throws: StoreError.self) { try context.insert(entity: "Author", id: id) }
        try context.save()
        let back = try context.insert(entity: "Author", id: id)
        try back.setValue(.string("A again"), of: "name")
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.object(of: Author.self, id: id)?.name == "A again")
        let entity = try #require(context.model.entity(named: "Author"))
        #expect(try context.store.largestID(of: entity) == last)
        #expect(try context.insert(Author.self).id > last)
    }

    // MARK: - Relationships

    @Test(arguments: TestedStore.allCases)
    func relationshipsCanBeFollowedFromBothEnds(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let authors = try ["A", "B"].map { name in
            let author = try context.insert(Author.self)
            author.name = name
            return author
        }
        for title in ["One", "Two"] {
            let book = try context.insert(Book.self)
            book.title = title
            book.publisher = publisher
            book.authors.replace(with: authors)
            let cover = try context.insert(Cover.self)
            cover.image = [1, 2]
            book.cover = cover
        }
        try context.save()
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let read = try #require(try other.objects(of: Publisher.self).first)
        #expect(read.books.map(\.title) == ["One", "Two"])
        #expect(read.books.first { $0.title == "Two" }?.authors.map(\.name) == ["A", "B"])
        #expect(try other.objects(of: Author.self).map { $0.books.count } == [2, 2])
        #expect(try other.objects(of: Cover.self).map { $0.book?.title } == ["One", "Two"])
        let first = try #require(read.books.first { $0.title == "One" })
        first.authors.remove(try #require(first.authors.first { $0.name == "A" }))
        first.publisher = nil
        try other.save()
        let third = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try third.objects(of: Author.self).map { $0.books.count } == [1, 2])
        #expect(try third.objects(of: Publisher.self).first?.books.map(\.title) == ["Two"])
    }

    @Test(arguments: TestedStore.allCases)
    func cascadesReachObjectsInStore(_ kind: TestedStore) throws {
        let shelf = try kind.shelf(in: directory)
        let context = ManagedObjectContext(coordinator: shelf.coordinator)
        var sent = SavedChanges()
        let observation = context.coordinator.observeSaves { sent.append($0) }
        #expect(try context.deleteAll(FetchRequest<Book>(matching: FetchPredicate("cover != nil"))) == 4)
        observation.cancel()
        #expect(sent.deleted.count == 4)
        // A deleted object is not reported as updated before.
        #expect(Set(sent.updated).isDisjoint(with: sent.deleted))
        #expect(try context.count(FetchRequest<Cover>()) == 0)
        #expect(try context.store.danglingReference() == nil)
        #expect(try context.updateAll(FetchRequest<Book>(), setting: ["inPrint": false]) == 3)
        #expect(try context.ids(FetchRequest<Book>(matching: FetchPredicate("inPrint == YES"))).isEmpty)
    }

    @Test(arguments: TestedStore.allCases)
    func deniedDeletionChangesNothing(_ kind: TestedStore) throws {
        let model = try Library.model(publisherRule: .deny)
        let context = try kind.context(in: directory, model)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.publisher = publisher
        try context.save()
        let before = try context.contents()
        let error = #expect(throws: DeleteDeniedError.self) {
            try context.deleteAll(FetchRequest<Publisher>())
        }
        #expect(error?.denials.map(\.remaining) == [[book.objectID]])
        #expect(try context.contents() == before)
    }

    // MARK: - Uniqueness and references

    @Test(arguments: TestedStore.allCases)
    func uniquenessIsEnforced(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        try context.insert(Publisher.self).name = "Murray"
        try context.save()
        let second = try context.insert(Publisher.self)
        second.name = "MURRAY"
        #expect(throws: ValidationError.self) { try context.save() }
        second.name = "Egerton"
        try context.save()
        #expect(try context.count(FetchRequest<Publisher>()) == 2)
    }

    @Test(arguments: TestedStore.allCases)
    func danglingReferenceIsNamed(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "Murray"
        let book = try context.insert(Book.self)
        book.title = "Emma"
        book.publisher = publisher
        try context.save()
        let error = #expect(throws: StoreError.self) {
            try context.updateAll(FetchRequest<Book>(), setting: ["publisher": 77])
        }
        #expect(error?.code == .danglingReference)
        #expect(error?.message.contains("Book 1") == true)
        #expect(
            try context.count(FetchRequest<Book>(matching: FetchPredicate("publisher.name == 'Murray'"))) == 1
        )
    }

    // MARK: - Metadata

    @Test(arguments: TestedStore.allCases)
    func metadataIsKept(_ kind: TestedStore) throws {
        let model = try Library.model()
        let store = try kind.open(in: directory, model)
        #expect(store.metadata.versionHash == model.versionHash)
        #expect(store.metadata.versionIdentifiers == ["1"])
        #expect(store.metadata.entries.isEmpty)
        let entries = ["lead": "300", "": "", "<&>": "\u{1B}\\u1b00\r\n", "identifier": "mine"]
        try store.setMetadataEntries(entries)
        #expect(store.metadata.entries == entries)
        try store.setMetadataEntries(["lead": "600"])
        #expect(store.metadata.entries == ["lead": "600"])
        store.close()
    }

    // MARK: - History

    @Test(arguments: TestedStore.allCases)
    func historyIsRecordedOrRefused(_ kind: TestedStore) throws {
        guard let storeKind = kind.storeKind, kind != .sqliteInMemory else { return }
        let path = kind.path(in: directory)
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        let configuration = StoreConfiguration(storeKind, path: path, history: true)
        guard [.sqlite, .postgresql].contains(kind) else {
            let error = try #require(throws: StoreError.self) { try coordinator.addStore(configuration) }
            #expect(error.code == .noHistory)
            #expect(coordinator.stores.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: path))
            return
        }
        try coordinator.addStore(configuration)
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.insert(Author.self).name = "Jane"
        try context.save()
        // On a server, a save is read when all transactions that began before it have ended, also those of other tests.
        let deadline = ContinuousClock.now + .seconds(60)
        while try coordinator.history().isEmpty, kind == .postgresql, ContinuousClock.now < deadline {}
        #expect(
            try coordinator.history().flatMap(\.changes) == [
                .init(ObjectID(entity: "Author", id: 1), .inserted)
            ])
    }

    @Test(arguments: TestedStore.allCases)
    func storeWithoutHistorySaysSo(_ kind: TestedStore) throws {
        let context = try kind.context(in: directory)
        let error = try #require(throws: StoreError.self) { try context.coordinator.history() }
        #expect(error.code == .noHistory)
    }
}

extension MemoryStore {
    static func context(_ model: ManagedObjectModel) throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: model)
        try coordinator.addStore(MemoryStore(model: model))
        return ManagedObjectContext(coordinator: coordinator)
    }
}
