import ObjectStore
import Testing

/// New objects with the unique values of saved ones, with each policy.
@Suite struct UpsertTests {
    typealias Entry = UniquenessTests.Entry
    typealias List = UniquenessTests.List

    let directory = TemporaryStore()

    /// A context on a store with a list `home` that has the entries `a` (rank 1, note `x`) and `b`.
    private func filled(_ kind: TestedStore, inMemory: Bool = false) throws -> ManagedObjectContext {
        let context = try kind.context(in: directory, UniquenessTests.model())
        let home = try context.insert(List.self)
        home.name = "home"
        for uid in ["a", "b"] {
            let entry = try context.insert(Entry.self)
            entry.uid = uid
            entry.rank = 1
            entry.note = "x"
            entry.list = home
        }
        try context.save()
        return ManagedObjectContext(coordinator: context.coordinator)
    }

    @discardableResult
    private func insert(
        _ uid: String, _ context: ManagedObjectContext, _ change: (Entry) -> Void = { _ in }
    ) throws -> Entry {
        let entry = try context.insert(Entry.self)
        entry.uid = uid
        entry.list = try context.objects(of: List.self).first
        change(entry)
        return entry
    }

    private func table(_ context: ManagedObjectContext) throws -> [[AttributeValue]] {
        let reader = ManagedObjectContext(coordinator: context.coordinator)
        return try reader.rows(
            FetchRequest<Entry>(orderedBy: [FetchOrder("id")]), of: ["id", "uid", "rank", "note"]
        ).map { Array($0.values) }
    }

    @Test(arguments: TestedStore.allCases, [true, false])
    func newObjectWins(_ kind: TestedStore, _ isInMemory: Bool) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .newObjectWins
        let held = try isInMemory ? context.objects(of: Entry.self) : []
        let new = try insert("a", context) { $0.rank = 2 }
        try insert("c", context)
        try context.save()
        #expect(
            try table(context) == [
                [.integer(1), .string("a"), .integer(2), .string("x")],
                [.integer(2), .string("b"), .integer(1), .string("x")],
                [.integer(4), .string("c"), .null, .null],
            ])
        #expect(new.isDeleted)
        #expect(held.first?.rank == (isInMemory ? 2 : nil))
        #expect(!context.hasChanges)
    }

    @Test(arguments: TestedStore.allCases)
    func savedObjectWins(_ kind: TestedStore) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .savedObjectWins
        let before = try table(context)
        try insert("a", context) { $0.rank = 2 }
        try context.save()
        #expect(try table(context) == before)
    }

    @Test(arguments: TestedStore.allCases)
    func errorIsTheDefault(_ kind: TestedStore) throws {
        let context = try filled(kind)
        try insert("a", context)
        #expect(throws: ValidationError.self) { try context.save() }
        context.uniquenessPolicy = .newObjectWins
        try context.save()
        #expect(try table(context).count == 2)
    }

    @Test(arguments: TestedStore.allCases)
    func valueSetToNilWins(_ kind: TestedStore) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .newObjectWins
        try insert("a", context) {
            $0.note = "y"
            $0.note = nil
        }
        try context.save()
        #expect(try table(context)[0] == [.integer(1), .string("a"), .integer(1), .null])
    }

    /// A fetch writes the new object into the open transaction before the save.
    @Test(arguments: TestedStore.allCases)
    func writtenObjectIsMerged(_ kind: TestedStore) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .newObjectWins
        try insert("a", context) { $0.rank = 2 }
        #expect(try context.count(FetchRequest<Entry>()) == 3)
        try context.save()
        #expect(try table(context).map { $0[2] } == [.integer(2), .integer(1)])
    }

    @Test(arguments: TestedStore.allCases)
    func firstOfEqualNewObjectsSurvives(_ kind: TestedStore) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .newObjectWins
        for rank in 3...5 { try insert("c", context) { $0.rank = rank } }
        for rank in 6...7 { try insert("a", context) { $0.note = "\(rank)" } }
        try context.save()
        #expect(
            try table(context) == [
                [.integer(1), .string("a"), .integer(1), .string("7")],
                [.integer(2), .string("b"), .integer(1), .string("x")],
                [.integer(3), .string("c"), .integer(5), .null],
            ])
    }

    @Test(arguments: TestedStore.allCases)
    func unsavedChangesOfSavedObjectsCount(_ kind: TestedStore) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .newObjectWins
        let entries = try context.objects(of: Entry.self, orderedBy: [FetchOrder("id")])
        entries[0].uid = "z"
        try context.delete(entries[1])
        for uid in ["a", "b", "z"] { try insert(uid, context) { $0.rank = 9 } }
        try context.save()
        #expect(
            try table(context).map { Array($0[0..<3]) } == [
                [.integer(1), .string("z"), .integer(9)], [.integer(3), .string("a"), .integer(9)],
                [.integer(4), .string("b"), .integer(9)],
            ])
    }

    @Test(arguments: TestedStore.allCases)
    func changedObjectIsNeverMerged(_ kind: TestedStore) throws {
        let context = try filled(kind)
        context.uniquenessPolicy = .newObjectWins
        let entry = try #require(try context.object(of: Entry.self, id: 2))
        entry.uid = "a"
        #expect(throws: ValidationError.self) { try context.save() }
    }

    // MARK: - Relationships

    /// Publishers with a unique name have books, which have authors and one cover.
    @Test(arguments: TestedStore.allCases, [true, false])
    func relationshipsMoveToSavedObject(_ kind: TestedStore, _ newWins: Bool) throws {
        let writer = try kind.shelf(in: directory)
        let old = try writer.insert(Book.self)
        old.title = "old"
        old.isbn = "1"
        let cover = try writer.insert(Cover.self)
        cover.image = [1]
        old.cover = cover
        let anne = try writer.insert(Author.self)
        anne.name = "Anne"
        old.authors.insert(anne)
        try writer.save()

        let context = ManagedObjectContext(coordinator: writer.coordinator)
        context.uniquenessPolicy = newWins ? .newObjectWins : .savedObjectWins
        let publisher = try context.insert(Publisher.self)
        publisher.name = "MURRAY"
        let book = try context.insert(Book.self)
        book.title = "new"
        book.isbn = "1"
        book.publisher = publisher
        let other = try context.insert(Cover.self)
        other.image = [2]
        book.cover = other
        let mary = try context.insert(Author.self)
        mary.name = "Mary"
        book.authors.insert(mary)
        book.authors.insert(try #require(try context.object(of: Author.self, id: anne.id)))
        try context.save()

        let reader = ManagedObjectContext(coordinator: writer.coordinator)
        let saved = try #require(try reader.object(of: Book.self, matching: "isbn", equals: "1"))
        #expect(saved.id == old.id)
        #expect(saved.title == (newWins ? "new" : "old"))
        #expect(saved.authors.map(\.name).sorted() == ["Anne", "Mary"])
        #expect(saved.cover?.image == [newWins ? 2 : 1])
        let covers = try reader.objects(of: Cover.self).filter { [cover.id, other.id].contains($0.id) }
        #expect(covers.map { $0.book?.id } == (newWins ? [nil, old.id] : [old.id, nil]))
        let murray = try #require(
            try reader.object(of: Publisher.self, matching: "name", equals: newWins ? "MURRAY" : "Murray"))
        #expect(murray.books.contains { $0 === saved } == newWins)
        #expect(try reader.count(FetchRequest<Publisher>()) == 2)
    }

    @Test func undoneMergeIsMergedAgain() throws {
        let context = try filled(.sqlite)
        context.uniquenessPolicy = .newObjectWins
        context.undoLevels = 5
        try insert("a", context) { $0.rank = 2 }
        try context.save()
        context.undo()
        try context.save()
        #expect(try table(context).map { $0[1] } == [.string("a"), .string("b")])
    }
}
