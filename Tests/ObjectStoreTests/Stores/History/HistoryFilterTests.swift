import ObjectStore
import TestSupport
import Testing

/// Parts of the history: the transactions of an object, an entity or an author.
@Suite struct HistoryFilterTests {
    let store = TemporaryStore()

    private func context() throws -> ManagedObjectContext {
        let coordinator = PersistentStoreCoordinator(model: try Library.model())
        try coordinator.addStore(.sqlite(path: store.path, history: true))
        return ManagedObjectContext(coordinator: coordinator)
    }

    /// Saves two authors and a book, and changes them with two transaction authors.
    private func filled() throws -> (context: ManagedObjectContext, jane: Author, mary: Author, emma: Book) {
        let context = try context()
        context.transactionAuthor = "a"
        let (jane, mary) = (try context.insert(Author.self), try context.insert(Author.self))
        (jane.name, mary.name) = ("Jane", "Mary")
        let emma = try context.insert(Book.self)
        emma.title = "Emma"
        try context.save()
        context.transactionAuthor = "b"
        jane.name = "Jane Austen"
        try context.save()
        emma.title = "EMMA"
        mary.born = 1797
        try context.save()
        context.transactionAuthor = "a"
        try context.delete(jane)
        try context.save()
        return (context, jane, mary, emma)
    }

    private func text(_ transactions: [HistoryTransaction]) -> [String] {
        transactions.map { transaction in
            let changes = transaction.changes.map {
                "\($0.kind) \($0.object) \($0.properties.joined(separator: ","))"
            }
            return "\(transaction.number) \(changes.joined(separator: "; "))"
        }
    }

    @Test func historyOfObjectHasItsChanges() throws {
        let (context, jane, mary, _) = try filled()
        #expect(
            try text(context.history(of: jane)) == [
                "1 inserted Author 1 ", "2 updated Author 1 name", "4 deleted Author 1 ",
            ])
        #expect(
            try text(context.history(of: mary)) == ["1 inserted Author 2 ", "3 updated Author 2 born"])
        let first = try #require(try context.history(of: jane, limit: 1).first)
        #expect(first.number == 1)
        #expect(try context.history(of: jane, after: first.token).map(\.number) == [2, 4])
    }

    @Test func filtersChooseTransactionsAndChanges() throws {
        let (context, jane, _, emma) = try filled()
        let coordinator = context.coordinator
        let found = { (filter: HistoryFilter) in try text(coordinator.history(matching: filter)) }
        #expect(try found(HistoryFilter()).count == 4)
        #expect(
            try found(HistoryFilter(entity: "Book")) == [
                "1 inserted Book 1 ", "3 updated Book 1 title",
            ])
        #expect(
            try found(HistoryFilter(author: "b")) == [
                "2 updated Author 1 name", "3 updated Book 1 title; updated Author 2 born",
            ])
        #expect(try found(HistoryFilter(entity: "Author", author: "b")).map { $0.prefix(1) } == ["2", "3"])
        #expect(try found(HistoryFilter(object: emma.objectID, author: "b")).count == 1)
        #expect(try found(HistoryFilter(object: emma.objectID, entity: "Author")) == [])
        #expect(try found(HistoryFilter(author: "c")) == [])
        #expect(try coordinator.history(matching: HistoryFilter(author: "a"), limit: 1).map(\.number) == [1])
        #expect(throws: FetchError.self) { try found(HistoryFilter(entity: "Missing")) }
        let gone = ObjectID(entity: "Author", id: jane.id, store: UUIDValue())
        #expect(throws: StoreError.self) { try found(HistoryFilter(object: gone)) }
    }

    /// One object of a run of objects in one change is found without the others.
    @Test func runOfObjectsHasEachOfThem() throws {
        let context = try context()
        let authors = try (0..<1000).map { number in
            let author = try context.insert(Author.self)
            author.name = "\(number)"
            return author
        }
        try context.save()
        try context.updateAll(FetchRequest<Author>(), setting: ["born": 1800])
        let changes = try context.history(of: authors[500]).flatMap(\.changes)
        #expect(changes.map(\.object) == [authors[500].objectID, authors[500].objectID])
        #expect(changes.map(\.kind) == [.inserted, .updated])
    }

    @Test func filterAgreesWithDefaultImplementation() throws {
        let (context, jane, mary, emma) = try filled()
        let recorder = try #require(context.coordinator.store as? any HistoryRecording)
        let all = try recorder.history(after: nil, limit: nil)
        for object in [nil, jane.objectID, mary.objectID, emma.objectID] {
            for entity in [nil, "Author", "Book"] {
                for author in [nil, "a", "b"] {
                    for limit in [nil, 0, 1, 2] {
                        for token in [nil, all[1].token] {
                            let filter = HistoryFilter(object: object, entity: entity, author: author)
                            let slow = try Paging(recorder).history(
                                after: token, limit: limit, matching: filter)
                            let found = try recorder.history(after: token, limit: limit, matching: filter)
                            #expect(found == slow, "\(filter), \(limit ?? -1)")
                        }
                    }
                }
            }
        }
    }

    /// A store of a program, which has no filter of its own, as far as its history is concerned.
    private struct Paging {
        private let recorder: any HistoryRecording

        init(_ recorder: any HistoryRecording) { self.recorder = recorder }

        func history(
            after token: HistoryToken?, limit: Int?, matching filter: HistoryFilter
        ) throws -> [HistoryTransaction] {
            let chosen = try recorder.history(after: token, limit: nil).filter { transaction in
                (filter.author ?? transaction.author) == transaction.author
            }.compactMap { transaction -> HistoryTransaction? in
                let changes = transaction.changes.filter {
                    (filter.object ?? $0.object) == $0.object
                        && (filter.entity ?? $0.object.entity) == $0.object.entity
                }
                return changes.isEmpty
                    ? nil
                    : HistoryTransaction(
                        token: transaction.token, time: transaction.time, author: transaction.author,
                        contextName: transaction.contextName, changes: changes)
            }
            return Array(chosen.prefix(limit ?? .max))
        }
    }

    @Test func objectOfHierarchyIsFoundByItsRoot() throws {
        let coordinator = PersistentStoreCoordinator(
            model: try ManagedObjectModel(entities: [
                EntityDescription("Item", attributes: [.string("title")]),
                EntityDescription("Task", attributes: [.string("note")], parent: "Item"),
            ]))
        try coordinator.addStore(.sqlite(path: store.path, history: true))
        let context = ManagedObjectContext(coordinator: coordinator)
        let task = try context.insert(entity: "Task")
        try context.save()
        #expect(try context.history(of: task).count == 1)
        let named = ObjectID(entity: "Task", id: task.id)
        #expect(try coordinator.history(matching: HistoryFilter(object: named)).count == 1)
        #expect(try coordinator.history(matching: HistoryFilter(entity: "Item")).count == 1)
        #expect(throws: FetchError.self) { try coordinator.history(matching: HistoryFilter(entity: "Task")) }
    }

    @Test func storeWithoutHistoryIsRefused() throws {
        let context = try TestedStore.memory.context(in: store)
        let author = try context.insert(Author.self)
        let error = #expect(throws: StoreError.self) { try context.history(of: author) }
        #expect(error?.code == .noHistory)
    }
}
