import ObjectStore
import TestSupport
import Testing

/// The sequence of the saves of a container.
@Suite struct ContainerSavesTests {
    let store = TemporaryStore()

    private func container(_ kind: TestedStore = .memory) throws -> PersistentContainer {
        let configuration = StoreConfiguration(kind.storeKind ?? .snapshot, path: kind.path(in: store))
        return try PersistentContainer(configuration, model: try Library.model())
    }

    private func add(_ name: String, to container: PersistentContainer) async throws -> ObjectID {
        try await container.write(author: name) { context in
            let author = try context.insert(Author.self)
            author.name = name
            return author.objectID
        }
    }

    @Test(arguments: TestedStore.allCases)
    func savesAreReturnedInTheirOrder(_ kind: TestedStore) async throws {
        let container = try container(kind)
        _ = try await add("before", to: container)
        let saves = container.saves()
        let author = try await add("A", to: container)
        try await container.write { context in
            (try context.object(author) as? Author)?.name = "B"
        }
        try await container.write { context in
            if let author = try context.object(author) { try context.delete(author) }
        }
        var iterator = saves.makeAsyncIterator()
        #expect(await iterator.next() == .saved(SavedChanges(inserted: [author], author: "A")))
        #expect(await iterator.next() == .saved(SavedChanges(updated: [author])))
        #expect(await iterator.next() == .saved(SavedChanges(deleted: [author])))
        await container.close()
        #expect(await iterator.next() == nil)
    }

    @Test(.timeLimit(.minutes(1))) func iteratorWaitsForNextSave() async throws {
        let container = try container()
        let saves = container.saves()
        let first = Task { await saves.first { _ in true } }
        let author = try await add("A", to: container)
        #expect(await first.value == .saved(SavedChanges(inserted: [author], author: "A")))
    }

    @Test func writeWithoutSaveIsNotReported() async throws {
        struct Refusal: Error {}
        let container = try container()
        let saves = container.saves()
        try? await container.write { context in
            try context.insert(Author.self).name = "A"
            try context.save()
            throw Refusal()
        }
        try await container.write { _ in }
        let author = try await add("B", to: container)
        var iterator = saves.makeAsyncIterator()
        #expect(await iterator.next() == .saved(SavedChanges(inserted: [author], author: "B")))
    }

    /// The memory is limited, and a reader that missed saves knows it.
    @Test func fullSequenceReportsMissedSaves() async throws {
        let container = try container()
        let (short, long) = (container.saves(limit: 2), container.saves())
        var authors: [ObjectID] = []
        for name in ["A", "B", "C", "D"] { authors.append(try await add(name, to: container)) }
        var iterator = short.makeAsyncIterator()
        #expect(await iterator.next() == .missed)
        #expect(await iterator.next() == .saved(SavedChanges(inserted: [authors[3]], author: "D")))
        await container.close()
        #expect(await iterator.next() == nil)
        var count = 0
        for await _ in long { count += 1 }
        #expect(count == 4)
    }

    @Test(.timeLimit(.minutes(1))) func cancelledTaskEndsItsSequenceOnly() async throws {
        let container = try container()
        let (first, second) = (container.saves(), container.saves())
        let task = Task { for await _ in first {} }
        task.cancel()
        await task.value
        let author = try await add("A", to: container)
        var iterator = second.makeAsyncIterator()
        #expect(await iterator.next() == .saved(SavedChanges(inserted: [author], author: "A")))
    }

    @Test(.timeLimit(.minutes(1))) func releasedContainerEndsSequence() async throws {
        let saves = try container().saves()
        for await save in saves { Issue.record("unexpected \(save)") }
    }

    @Test func sequenceOfClosedContainerIsEmpty() async throws {
        let container = try container()
        await container.close()
        for await save in container.saves() { Issue.record("unexpected \(save)") }
    }

    // MARK: - Other programs

    @Test func savesOfOtherProgramAreNoticed() async throws {
        let shared = StoreConfiguration.sqlite(path: store.path, shared: true)
        try Ledger.make(shared)
        let container = try PersistentContainer(shared, model: try Ledger.model())
        let saves = container.saves()
        #expect(try await container.read { try $0.count(Ledger.entries) } == 0)

        let program = try SharingProgram(store.path, author: "other", count: 3)
        #expect(program.end() == "")
        #expect(try await container.read { try $0.count(Ledger.entries) } == 3)
        try await container.noticeSavesOfOtherPrograms()
        try await container.noticeSavesOfOtherPrograms()
        await container.close()
        var authors: [String?] = []
        for await case .saved(let changes) in saves where changes.inserted.count == 1 {
            authors.append(changes.author)
        }
        #expect(authors == ["other", "other", "other"])
    }

    @Test func purgedSavesOfOtherProgramAreMissed() async throws {
        let shared = StoreConfiguration.sqlite(path: store.path, shared: true)
        try Ledger.make(shared)
        let container = try PersistentContainer(shared, model: try Ledger.model())
        let saves = container.saves()
        let program = try SharingProgram(store.path, author: "other", count: 3)
        #expect(program.end() == "")
        try store.execute("DELETE FROM _transactions WHERE number < 4; DELETE FROM _changes WHERE number < 4")
        try await container.noticeSavesOfOtherPrograms()
        var iterator = saves.makeAsyncIterator()
        #expect(await iterator.next() == .missed)
    }
}
