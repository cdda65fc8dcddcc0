import ObjectStore
import Testing

/// Calls that are not allowed with these arguments or at this time. They throw and change nothing.
@Suite struct MisuseTests {
    let directory = TemporaryStore()

    private func misuse(_ body: () throws -> Void) -> String? {
        let error = #expect(throws: StoreError.self) { try body() }
        #expect(error?.code == .misuse)
        return error?.message
    }

    @Test func functionOfContextRefusesObjectOfOtherContext() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        let book = try #require(try other.object(of: Book.self, id: 1))
        let store = try #require(context.coordinator.store)
        let calls: [() throws -> Void] = [
            { _ = try context.store(of: book) }, { try context.assign(book, to: store) },
            { try context.delete(book) }, { try context.refresh(book) },
        ]
        for call in calls {
            #expect(
                misuse(call)
                    == "the context of Book 1 is another one; use that, or get the object by its ObjectID")
        }
        #expect(!book.isDeleted)
    }

    @Test func transactionInsideBatchIsRefused() throws {
        let context = try TestedStore.memory.context(in: directory)
        try context.coordinator.batch {
            #expect(misuse { try context.coordinator.transaction {} }?.contains("inside of a batch") == true)
            try context.insert(Author.self).name = "A"
            try context.save()
        }
        #expect(try context.count(Author.all) == 1)
    }

    @Test func backgroundWriteIsRefusedAtWrongTime() throws {
        let context = try directory.context()
        let coordinator = context.coordinator
        #expect(
            misuse { try coordinator.merge(SavedChanges(), into: []) }?.contains("no background writer")
                == true)
        try coordinator.batch {
            #expect(
                misuse { _ = try coordinator.beginBackgroundWrite() }?.contains("inside of a batch") == true)
        }
        _ = try #require(try coordinator.beginBackgroundWrite())
        #expect(misuse { _ = try coordinator.beginBackgroundWrite() }?.contains("already") == true)
        coordinator.endBackgroundWrite()
    }

    @Test func containerWithoutReadersIsRefused() {
        #expect(
            misuse { _ = try PersistentContainer(.memory, model: try Library.model(), readersLimit: 0) }
                == "a container needs at least one reader; readersLimit is 0")
    }

    @Test(arguments: TestedStore.allCases)
    func commitWithoutTransactionIsRefused(_ kind: TestedStore) throws {
        guard kind != .custom else { return }
        let store = try kind.open(in: directory)
        defer { store.close() }
        #expect(misuse { try store.commit() }?.contains("no open transaction") == true)
        try store.begin()
        try store.commit()
    }

    @Test func updatesRefusePropertyNamedTwice() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        var updates = ObjectUpdates(of: Book.self, setting: ["pages", "title", "pages"])
        updates.append(id: 1, values: [.integer(1), .string("x"), .integer(2)])
        let error = #expect(throws: FetchError.self) { try context.updateEach([updates]) }
        #expect(error?.message == "Book.pages is set twice; name each property once")
    }

    @Test func updatesRefuseObjectWithTooFewValues() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        var updates = ObjectUpdates(of: Book.self, setting: ["pages", "title"])
        updates.append(id: 2, values: [.integer(1)])
        let error = #expect(throws: FetchError.self) { try context.updateEach([updates]) }
        #expect(
            error?.message == "Book 2 has 1 values for the 2 properties of the updates; give it one for each")
    }

    @Test func statementRefusesKeyWithoutColumn() throws {
        let context = try directory.context()
        for (statement, key) in [
            ("SELECT \(\Book.publisher?.name) FROM \(Book.self)" as SQLStatement, "Book.publisher.name"),
            ("SELECT \(\Book.authors) FROM \(Book.self)", "Book.authors"),
            ("SELECT \(\Book.authors.count) FROM \(Book.self)", "Book.authors.@count"),
        ] {
            let error = #expect(throws: FetchError.self) { try context.sql(statement, as: String.self) }
            #expect(error?.code == .unknownKey)
            #expect(
                error?.message == "\(key) has no column in the table of its class; join the table at its end")
        }
    }

    @Test(arguments: TestedStore.allCases)
    func negativeLimitAndOffsetAreRefused(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        for (request, name) in [
            (FetchRequest<Book>(limit: -1), "limit"), (FetchRequest<Book>(offset: -1), "offset"),
            (Book.all.limit(-1), "limit"), (Book.all.offset(-1), "offset"),
        ] {
            let calls: [() throws -> Void] = [
                { _ = try context.fetch(request) }, { _ = try context.count(request) },
                { _ = try context.rows(request, of: ["title"]) }, { try context.deleteAll(request) },
                { _ = try context.prepare(request, of: ["title"]) },
                { try context.updateAll(request, setting: ["pages": 1]) },
            ]
            for call in calls {
                let error = #expect(throws: FetchError.self) { try call() }
                #expect(error?.message.contains("the \(name) -1 is negative") == true)
            }
        }
        #expect(try context.fetch(Book.all.limit(0)).isEmpty)
    }

    @Test func updateOfAllRefusesTargetThatStoreDoesNotHave() throws {
        let context = try TestedStore.memory.shelf(in: directory)
        let publisher = try context.insert(Publisher.self)
        publisher.name = "New"
        let set = { (target: Publisher?) in try context.updateAll(Book.all) { $0.publisher = target } }
        let ofNew = #expect(throws: PropertyError.self) { try set(publisher) }
        #expect(
            ofNew?.description
                == "Book.publisher cannot refer to Publisher \(publisher.id), which is not saved yet; save it first"
        )
        try context.save()
        #expect(try set(publisher) == 5)
        #expect(try context.count(Book.where { $0.publisher == publisher }) == 5)
        #expect(try set(nil) == 5)
        #expect(try context.count(Book.where { $0.publisher == nil }) == 5)
        try context.delete(publisher)
        let ofDeleted = #expect(throws: PropertyError.self) { try set(publisher) }
        #expect(ofDeleted?.description.hasSuffix("which is deleted") == true)
        let elsewhere = try TestedStore.memory.shelf(in: TemporaryStore())
        let stranger = try #require(try elsewhere.object(of: Publisher.self, id: 1))
        let ofStranger = #expect(throws: PropertyError.self) { try set(stranger) }
        #expect(ofStranger?.description.contains("belongs to another coordinator") == true)
    }

    @Test func predicateRefusesObjectWithoutContext() throws {
        func load() throws -> Book? {
            try ManagedObjectContext(coordinator: TestedStore.memory.shelf(in: directory).coordinator)
                .object(of: Book.self, id: 1)
        }
        let book = try #require(try load())
        let error = #expect(throws: PropertyError.self) { try FetchPredicate("pages > 1").matches(book) }
        #expect(
            error?.description.hasPrefix("Book.SELF cannot be read: the context of Book 1 was released")
                == true)
    }
}
