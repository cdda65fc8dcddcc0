import ObjectStore
import TestSupport
import Testing

/// Transactions and savepoints in every kind of store.
@Suite struct TransactionTests {
    let directory = TemporaryStore()

    @Test(arguments: TestedStore.allCases)
    func transactionLevelsNest(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let store = try context.store
        let book = try #require(context.model.entity(named: "Book"))
        let before = try context.contents()
        let short = StoreRequest(entity: book, predicate: try FetchPredicate("pages < 100"))
        try store.begin()
        #expect(try store.update(short, set: [2: .integer(1000)]) == [2, 5])
        try store.begin()
        #expect(store.transactionDepth == 2)
        #expect(try store.delete(StoreRequest(entity: book)).deleted[book.index]?.count == 5)
        #expect(try store.count(StoreRequest(entity: book)) == 0)
        store.rollback()
        #expect(try store.count(StoreRequest(entity: book)) == 5)
        try store.begin()
        let emma = StoreRequest(entity: book, predicate: try FetchPredicate("title == 'Emma'"))
        #expect(try store.update(emma, set: [2: .integer(1)]) == [1])
        try store.commit()
        #expect(
            try store.ids(StoreRequest(entity: book, predicate: FetchPredicate("pages >= 1000"))) == [2, 5])
        store.rollback()
        #expect(store.transactionDepth == 0)
        #expect(try context.contents() == before)
    }

    @Test(arguments: TestedStore.allCases)
    func rollbackLeavesNoTrace(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try context.contents()
        let jane = try #require(try context.object(of: Author.self, id: 1))
        let murray = try #require(try context.object(of: Publisher.self, id: 1))
        try context.delete(murray)
        jane.books.replace(with: try context.objects(of: Book.self))
        try context.insert(Author.self).name = "new"
        #expect(try context.count(FetchRequest<Book>(matching: FetchPredicate("ANY authors == %@", 1))) == 5)
        #expect(try context.count(FetchRequest<Publisher>()) == 1)
        context.rollback()
        #expect(try context.count(FetchRequest<Book>(matching: FetchPredicate("ANY authors == %@", 1))) == 3)
        #expect(try context.contents() == before)
        #expect(try context.store.transactionDepth == 0)
    }

    /// The id is free within the batch, and also when the batch ends with other changes.
    @Test(arguments: TestedStore.allCases)
    func rolledBackIDIsFree(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        let before = try context.largestIDs()
        try context.coordinator.batch {
            for _ in 1...3 { try context.insert(Author.self).name = "new" }
            #expect(try context.count(FetchRequest<Author>()) == 5)
            context.rollback()
            #expect(try context.largestIDs() == before)
            try #require(try context.object(of: Author.self, id: 1)).name = "Austen"
            try context.save()
        }
        #expect(try context.largestIDs() == before)
    }

    @Test(arguments: TestedStore.allCases)
    func batchKeepsSuccessfulSaves(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        try context.coordinator.batch {
            try context.insert(Author.self).name = "kept"
            try context.save()
            let nameless = try context.insert(Author.self)
            #expect(throws: ValidationError.self) { try context.save() }
            try context.delete(nameless)
            try context.insert(Author.self).name = "kept too"
            try context.save()
        }
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.objects(of: Author.self).map(\.name) == ["Jane", "Cassandra", "kept", "kept too"])
    }

    @Test(arguments: TestedStore.allCases)
    func transactionIsAtomic(_ kind: TestedStore) throws {
        struct Stop: Error {}
        let context = try kind.shelf(in: directory)
        let before = (contents: try context.contents(), ids: try context.largestIDs())
        var sent = 0
        let observation = context.coordinator.observeSaves { _ in sent += 1 }
        defer { observation.cancel() }
        let jane = try #require(try context.object(of: Author.self, id: 1))
        func change() throws {
            jane.name = "Austen"
            try context.save()
            let new = try context.insert(Author.self)
            new.name = "new"
            try context.save()
        }
        #expect(throws: Stop.self) {
            try context.coordinator.transaction {
                try change()
                try context.insert(Author.self).name = "newer"
                throw Stop()
            }
        }
        #expect(jane.name == "Jane" && sent == 0)
        #expect(try context.contents() == before.contents)
        #expect(try context.largestIDs() == before.ids)
        try context.coordinator.transaction { try change() }
        #expect(sent == 2)
        let other = ManagedObjectContext(coordinator: context.coordinator)
        #expect(try other.objects(of: Author.self).map(\.name) == ["Austen", "Cassandra", "new"])
        #expect(try other.objects(of: Author.self).map(\.id) == [1, 2, 3])
    }

    /// Otherwise the objects that are already written would fill the memory.
    @Test(arguments: TestedStore.allCases)
    func transactionReleasesSavedObjects(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        try context.coordinator.transaction {
            weak var saved: Author?
            do {
                let author = try context.insert(Author.self)
                author.name = "new"
                saved = author
                try context.save()
            }
            #expect(saved == nil)
        }
    }

    @Test(arguments: TestedStore.allCases)
    func streamReadsSavedState(_ kind: TestedStore) throws {
        let context = try kind.shelf(in: directory)
        try context.insert(Author.self).name = "written, not saved"
        #expect(try context.count(FetchRequest<Author>()) == 3)
        let rows = try context.stream(FetchRequest<Author>(orderedBy: [FetchOrder("id")]), of: ["name"])
        try context.save()
        try context.deleteAll(FetchRequest<Author>())
        var names: [AttributeValue] = []
        while let row = try rows.next() { names.append(row[0]) }
        #expect(names == [.string("Jane"), .string("Cassandra")])
        #expect(try context.count(FetchRequest<Author>()) == 0)
    }

    /// Makes a hundred random changes, and begins and ends levels at random. The result has to equal that of
    /// a store that copies all of its contents.
    @Test(arguments: TestedStore.allCases, [1, 2, 3] as [UInt64])
    func randomLevelsAgreeWithSnapshots(_ kind: TestedStore, _ seed: UInt64) throws {
        let tested = try kind.shelf(in: directory)
        let model = try TestedStore.custom.shelf(in: directory)
        for context in [tested, model] {
            var random = SplitMix(state: seed)
            let store = try context.store
            try store.begin()
            for _ in 0..<100 { try Self.change(store, context.model, &random) }
            while store.transactionDepth > 1 { try store.commit() }
            // A dangling reference has to be named. A commit refuses it, so it is removed.
            #expect(try (store.danglingReference() == nil) == (Self.isSound(store, context.model)))
            try Self.mend(store, context.model)
            #expect(try store.danglingReference() == nil)
            try store.commit()
        }
        #expect(
            try tested.contents()
                == model.contents())
    }

    private static func change(
        _ store: any PersistentStore, _ model: ManagedObjectModel, _ random: inout SplitMix
    ) throws {
        let entity = try #require(model.entities.randomElement(using: &random))
        let number = Int64.random(in: 1...5, using: &random)
        let request = StoreRequest(entity: entity, predicate: try FetchPredicate("id == %@", number))
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try store.begin()
        case 1 where store.transactionDepth > 1: try store.commit()
        case 2 where store.transactionDepth > 1: store.rollback()
        case 3: _ = try store.delete(request)
        default:
            for (column, description) in entity.columns.enumerated() {
                guard case .toOne = description.content, Bool.random(using: &random) else { continue }
                _ = try store.update(
                    request, set: [column: .integer(Int64.random(in: 1...6, using: &random))])
            }
        }
    }

    private static func isSound(_ store: any PersistentStore, _ model: ManagedObjectModel) throws -> Bool {
        for entity in model.entities {
            for column in entity.columns {
                guard case .toOne(let relationship) = column.content else { continue }
                let query = StoreQuery(
                    request: StoreRequest(entity: entity), columns: [.key(column.name)], isDistinct: true)
                for row in try store.rows(query) {
                    guard case .integer(let id) = row[0] else { continue }
                    let destination = model.entities[relationship.destinationIndex]
                    if try store.row(id, of: destination) == nil { return false }
                }
            }
        }
        return true
    }

    private static func mend(_ store: any PersistentStore, _ model: ManagedObjectModel) throws {
        for entity in model.entities {
            for (column, description) in entity.columns.enumerated() {
                guard case .toOne = description.content else { continue }
                _ = try store.update(StoreRequest(entity: entity), set: [column: .null])
            }
        }
    }
}
