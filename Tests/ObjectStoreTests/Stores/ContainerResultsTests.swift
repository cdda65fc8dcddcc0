import ObjectStore
import TestSupport
import Testing

/// The sequence of the current results of a container's request.
@Suite(.timeLimit(.minutes(1))) struct ContainerResultsTests {
    let store = TemporaryStore()

    private func container(_ kind: TestedStore = .sqlite) throws -> PersistentContainer {
        let configuration = StoreConfiguration(kind.storeKind ?? .snapshot, path: kind.path(in: store))
        return try PersistentContainer(configuration, model: try Library.model())
    }

    @discardableResult
    private func add(_ name: String, to container: PersistentContainer) async throws -> ObjectID {
        try await container.write { context in
            let author = try context.insert(Author.self)
            author.name = name
            return author.objectID
        }
    }

    private static let byName = Author.all.ordered(by: \.name)

    @Test(arguments: TestedStore.allCases)
    func resultsFollowSavesThatChangeThem(_ kind: TestedStore) async throws {
        let container = try container(kind)
        let first = try await add("B", to: container)
        var names = container.results(of: Self.byName).makeAsyncIterator()
        #expect(try await names.next()?.map(\.name) == ["B"])
        try await add("A", to: container)
        let both = try #require(try await names.next())
        #expect(both.map(\.name) == ["A", "B"] && both[1].objectID == first)
        try await container.write { context in
            (try context.object(first) as? Author)?.name = "0"
        }
        #expect(try await names.next()?.map(\.name) == ["0", "A"])
        try await container.write { context in
            if let author = try context.object(first) { try context.delete(author) }
        }
        #expect(try await names.next()?.map(\.name) == ["A"])
        await container.close()
        #expect(try await names.next() == nil)
        #expect(try await names.next() == nil)
    }

    @Test func iteratorWaitsForNextChange() async throws {
        let container = try container()
        let sequence = container.results(of: Self.byName)
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var counts: [Int] = []
            for try await names in sequence {
                beginning.yield()
                counts.append(names.count)
                if counts.count == 2 { break }
            }
            return counts
        }
        for await _ in begun { break }
        try await add("A", to: container)
        #expect(try await task.value == [0, 1])
    }

    /// A save of another entity has no fetch, and one that does not change the answer has no result.
    @Test func equalResultsAreNotRepeated() async throws {
        let container = try container()
        var names = container.results(of: Author.where { $0.name > "K" }).makeAsyncIterator()
        #expect(try await names.next() == [])
        try await container.write { try $0.insert(Publisher.self).name = "Z" }
        try await add("A", to: container)
        try await add("Z", to: container)
        #expect(try await names.next()?.map(\.name) == ["Z"])
    }

    @Test func requestAlongRelationshipSeesChangeOfItsTarget() async throws {
        let container = try container()
        let publisher = try await container.write { context in
            let (publisher, book) = (try context.insert(Publisher.self), try context.insert(Book.self))
            (publisher.name, book.title, book.publisher) = ("Murray", "Emma", publisher)
            return publisher.objectID
        }
        var books = container.results(of: Book.where { $0.publisher.name == "Egerton" }).makeAsyncIterator()
        #expect(try await books.next() == [])
        try await container.write { (try $0.object(publisher) as? Publisher)?.name = "Egerton" }
        #expect(try await books.next()?.map(\.title) == ["Emma"])
    }

    @Test func slowConsumerGetsNewestResults() async throws {
        let container = try container()
        var names = container.results(of: Self.byName).makeAsyncIterator()
        #expect(try await names.next() == [])
        for number in 0..<40 { try await add("\(number)", to: container) }
        #expect(try await names.next()?.count == 40)
        try await add("last", to: container)
        #expect(try await names.next()?.count == 41)
    }

    @Test func everyKindOfSaveIsSeen() async throws {
        let container = try container()
        let author = try await add("A", to: container)
        var names = container.results(of: Self.byName).makeAsyncIterator()
        #expect(try await names.next()?.map(\.name) == ["A"])
        _ = try await container.write { try $0.updateAll(Author.all) { $0.name = "B" } }
        #expect(try await names.next()?.map(\.name) == ["B"])
        _ = try await container.write { try $0.executeSQL("UPDATE Author SET name = 'C'") }
        #expect(try await names.next()?.map(\.name) == ["C"])
        _ = try await container.write { try $0.deleteAll(Author.where { $0.id == author.id }) }
        #expect(try await names.next() == [])
    }

    @Test func valueOfClosureIsCurrent() async throws {
        let container = try container()
        var counts = container.results { try $0.count(Author.all) }.makeAsyncIterator()
        #expect(try await counts.next() == 0)
        try await container.write { try $0.insert(Publisher.self).name = "Z" }
        try await add("A", to: container)
        #expect(try await counts.next() == 1)
        var last = container.results { try $0.fetch(Self.byName).last?.name }.makeAsyncIterator()
        #expect(try await last.next() == .some("A"))
    }

    @Test func iteratorsReadForThemselves() async throws {
        let container = try container()
        let sequence = container.results(of: Self.byName)
        var (first, second) = (sequence.makeAsyncIterator(), sequence.makeAsyncIterator())
        #expect(try await first.next()?.count == 0)
        try await add("A", to: container)
        #expect(try await first.next()?.count == 1)
        #expect(try await second.next()?.count == 1)
    }

    @MainActor @Test func mainActorReadsResults() async throws {
        let container = try await PersistentContainer.open(
            .sqlite(path: store.path), model: try Library.model())
        try await container.write { try $0.insert(Author.self).name = "A" }
        var shown: [String] = []
        for try await names in container.results(of: Self.byName) {
            shown += names.map(\.name)
            await container.close()
        }
        #expect(shown == ["A"])
    }

    // MARK: - Ends

    @Test func cancelledTaskEndsSequence() async throws {
        let container = try container()
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in container.results(of: Self.byName) { beginning.yield() }
        }
        for await _ in begun { break }
        task.cancel()
        try await task.value
        let early = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            for try await _ in container.results(of: Self.byName) { Issue.record("cancelled before") }
        }
        try await early.value
        try await add("A", to: container)
    }

    @Test func closedContainerEndsSequence() async throws {
        let container = try container()
        let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            var count = 0
            for try await _ in container.results(of: Self.byName) {
                count += 1
                beginning.yield()
            }
            return count
        }
        for await _ in begun { break }
        await container.close()
        #expect(try await task.value == 1)
        for try await _ in container.results(of: Self.byName) { Issue.record("closed before") }
    }

    @Test func errorEndsSequence() async throws {
        let container = try container()
        var wrong = container.results(of: FetchRequest<Author>(matching: try FetchPredicate("nam == 'A'")))
            .makeAsyncIterator()
        await #expect(throws: FetchPredicateError.self) { try await wrong.next() }
        #expect(try await wrong.next() == nil)
    }

    /// A sequence that is not read any more costs its container nothing.
    @Test func releasedIteratorReleasesContainer() async throws {
        weak var released: PersistentContainer?
        do {
            let container = try container()
            released = container
            var names = container.results(of: Self.byName).makeAsyncIterator()
            _ = try await names.next()
        }
        #expect(released == nil)
    }

    // MARK: - Other programs

    @Test func savesOfOtherProgramAreSeen() async throws {
        let shared = StoreConfiguration.sqlite(path: store.path, shared: true)
        try Ledger.make(shared)
        let container = try PersistentContainer(shared, model: try Ledger.model())
        var counts = container.results(of: Ledger.entries).makeAsyncIterator()
        #expect(try await counts.next()?.count == 0)
        let noticing = Task { try await container.noticeSavesOfOtherPrograms(every: .milliseconds(5)) }
        let program = try SharingProgram(store.path, author: "other", count: 3)
        #expect(program.end() == "")
        var count = 0
        while count < 3 { count = try #require(try await counts.next()).count }
        #expect(count == 3)
        await container.close()
        try await noticing.value
    }

    @Test func purgedSavesOfOtherProgramAreSeen() async throws {
        let shared = StoreConfiguration.sqlite(path: store.path, shared: true)
        try Ledger.make(shared)
        let container = try PersistentContainer(shared, model: try Ledger.model())
        var entries = container.results(of: Ledger.entries).makeAsyncIterator()
        #expect(try await entries.next() == [])
        let program = try SharingProgram(store.path, author: "other", count: 3)
        #expect(program.end() == "")
        try store.execute("DELETE FROM _transactions WHERE number < 4; DELETE FROM _changes WHERE number < 4")
        try await container.noticeSavesOfOtherPrograms()
        #expect(try await entries.next()?.count == 3)
    }
}
