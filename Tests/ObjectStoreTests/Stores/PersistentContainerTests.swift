import Foundation
import SQLiteDriver
import Synchronization
import TestSupport
import Testing

@testable import ObjectStore

@Suite struct PersistentContainerTests {
    let store = TemporaryStore()

    private static let kinds = TestedStore.allCases

    private func container(
        _ kind: TestedStore = .sqlite, readersLimit: Int = 4
    ) throws -> PersistentContainer {
        let configuration = StoreConfiguration(kind.storeKind ?? .snapshot, path: kind.path(in: store))
        return try PersistentContainer(
            configuration, model: try Library.model(), readersLimit: readersLimit)
    }

    private static let names: @Sendable (ManagedObjectContext) throws -> [String] = {
        try $0.fetch(Author.all.ordered(by: \.name)).map(\.name)
    }

    @Test(arguments: kinds)
    func readSeesWriteThatHasReturned(_ kind: TestedStore) async throws {
        let container = try container(kind)
        for number in 1...5 {
            let id = try await container.write { context in
                let author = try context.insert(Author.self)
                author.name = "author \(number)"
                return author.id
            }
            #expect(id == Int64(number))
            #expect(try await container.read(Self.names).count == number)
        }
        await container.close()
    }

    @Test(arguments: kinds)
    func writeThatThrowsSavesNothing(_ kind: TestedStore) async throws {
        struct Refusal: Error {}
        let container = try container(kind)
        await #expect(throws: Refusal.self) {
            try await container.write { context in
                try context.insert(Author.self).name = "saved inside"
                try context.save()
                try context.insert(Author.self).name = "unsaved"
                throw Refusal()
            }
        }
        await #expect(throws: ValidationError.self) {
            try await container.write { _ = try $0.insert(Author.self) }
        }
        #expect(try await container.read(Self.names) == [])
        try await container.write { try $0.insert(Author.self).name = "A" }
        #expect(try await container.read(Self.names) == ["A"])
    }

    @Test(arguments: kinds)
    func readSavesNothing(_ kind: TestedStore) async throws {
        let container = try container(kind)
        try await container.write { try $0.insert(Author.self).name = "A" }
        await #expect(throws: StoreError.self) {
            try await container.read { context in
                try context.insert(Author.self).name = "from a read"
                try context.save()
            }
        }
        _ = try? await container.read { try $0.updateAll(Author.all, setting: ["name": "updated"]) }
        #expect(try await container.read(Self.names) == ["A"])
    }

    /// Both reads and the write wait for one another, so the test ends only if they run at the same time.
    @Test func readsRunBesideWriteAndKeepTheirState() async throws {
        let container = try container()
        try await container.write { try $0.insert(Author.self).name = "A" }
        let begun = DispatchSemaphore(value: 0)
        let saved = DispatchSemaphore(value: 0)
        async let first = container.read { context in
            let before = try Self.names(context)
            begun.signal()
            saved.wait()
            return (before, try Self.names(context))
        }
        async let second = container.read { context in
            begun.signal()
            saved.wait()
            return try Self.names(context)
        }
        try await container.write { context in
            begun.wait()
            begun.wait()
            try context.insert(Author.self).name = "B"
        }
        saved.signal()
        saved.signal()
        let (before, after) = try await first
        #expect(before == ["A"] && after == ["A"])
        #expect(try await second == ["A"])
        #expect(try await container.read(Self.names) == ["A", "B"])
    }

    // MARK: - Opening

    private static func version(_ number: Int) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifiers: ["\(number)"],
            entities: [
                EntityDescription(
                    "Page",
                    attributes: (1...number).map { AttributeDescription("text\($0)", .string) })
            ])
    }

    /// The migration waits for the main actor, which must not wait for the migration.
    @MainActor @Test func openMigratesBesideTheMainActor() async throws {
        let versions = [try Self.version(1), try Self.version(2)]
        let old = PersistentStoreCoordinator(model: versions[0])
        try old.addStore(.sqlite(path: store.path))
        let context = ManagedObjectContext(coordinator: old)
        _ = try context.insert(entity: "Page")
        try context.save()
        old.close()
        let proceed = DispatchSemaphore(value: 0)
        let examined = Mutex(0)
        let migration = StoreMigration(versions: versions) { progress in
            guard progress.activity == .examining else { return }
            examined.withLock { $0 += 1 }
            DispatchQueue.main.async { proceed.signal() }
            #expect(proceed.wait(timeout: .now() + 30) == .success)
        }
        let path = store.path
        let container = try await PersistentContainer.open(
            .sqlite(path: path), model: versions[1], migrating: migration)
        #expect(examined.withLock { $0 } > 0)
        #expect(container.migrationReport?.source == ["1"])
        #expect(container.migrationReport?.destination == ["2"])
        await container.close()
        let again = try await PersistentContainer.open(
            .sqlite(path: path), model: versions[1], migrating: migration)
        #expect(again.migrationReport == nil)
    }

    @Test func cancelledTaskOpensNothing() async throws {
        let model = try Library.model()
        let path = store.path
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await PersistentContainer.open(.sqlite(path: path), model: model)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func lockTimeoutOfConfigurationAppliesToWrites() async throws {
        let container = try PersistentContainer(
            .sqlite(path: store.path, shared: true, lockTimeout: 0), model: try Library.model())
        let milliseconds = try await container.write { context in
            let store = try #require(context.coordinator.places[0].store as? SQLiteStore)
            return try store.connection.integer("PRAGMA busy_timeout")
        }
        #expect(milliseconds == 0)
        let other = try SQLiteConnection(path: store.path, mode: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let error = await #expect(throws: StoreError.self) {
            try await container.write { try $0.insert(Author.self).name = "A" }
        }
        #expect(error?.code == .locked)
        try other.execute("ROLLBACK")
        try await container.write { try $0.insert(Author.self).name = "A" }
        #expect(try await container.read(Self.names) == ["A"])
    }

    @Test func moreReadsThanReadersAllEnd() async throws {
        let container = try container(readersLimit: 2)
        try await container.write { context in
            for number in 1...20 { try context.insert(Author.self).name = "author \(number)" }
        }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...100 {
                group.addTask {
                    if number % 10 == 0 {
                        try await container.write { try $0.insert(Author.self).name = "new \(number)" }
                    }
                    return try await container.read { try $0.count(Author.all) }
                }
            }
            var counts: [Int] = []
            for try await count in group { counts.append(count) }
            return counts
        }
        #expect(counts.count == 100 && counts.allSatisfy { (20...30).contains($0) })
        #expect(try await container.read { try $0.count(Author.all) } == 30)
    }

    /// A count of pairs of pairs takes minutes, so the test ends only because the cancellation interrupts it.
    @Test(.timeLimit(.minutes(1))) func cancelledReadIsInterruptedAndReaderStaysUsable() async throws {
        let container = try container(readersLimit: 1)
        try await container.write { context in
            for number in 1...2_000 { try context.insert(Author.self).name = "author \(number)" }
        }
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await container.read { context in
                begin.yield()
                return try context.sql(
                    "SELECT count(*) FROM Author a, Author b, Author c, Author d", as: Int.self)
            }
        }
        for await _ in begun { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await container.read { try $0.count(Author.all) } == 2_000)
    }

    @Test func writeOfCancelledTaskSavesNothing() async throws {
        let container = try container()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let cancelled = DispatchSemaphore(value: 0)
        let task = Task {
            try await container.write { context in
                try context.insert(Author.self).name = "A"
                begin.yield()
                cancelled.wait()
            }
        }
        for await _ in begun { break }
        task.cancel()
        cancelled.signal()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await container.read(Self.names) == [])
    }

    /// The read that has the only reader ends after the other, so the test ends only if that one does not wait for it.
    @Test(.timeLimit(.minutes(1))) func cancelledReadDoesNotWaitForReader() async throws {
        let container = try container(readersLimit: 1)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let end = DispatchSemaphore(value: 0)
        async let first: Void = container.read { _ in
            begin.yield()
            end.wait()
        }
        for await _ in begun { break }
        let second = Task { try await container.read(Self.names) }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        end.signal()
        try await first
        #expect(try await container.read(Self.names) == [])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [TestedStore.sqlite, .memory])
    func cancelledWriteDoesNotWaitForItsTurn(_ kind: TestedStore) async throws {
        let container = try container(kind)
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let end = DispatchSemaphore(value: 0)
        async let first: Void = container.write { context in
            try context.insert(Author.self).name = "A"
            begin.yield()
            end.wait()
        }
        for await _ in begun { break }
        let second = Task { try await container.write { try $0.insert(Author.self).name = "B" } }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        end.signal()
        try await first
        #expect(try await container.read(Self.names) == ["A"])
    }

    /// Tasks that are cancelled at any moment leave no reader in use.
    @Test(.timeLimit(.minutes(1))) func cancelledReadsLeaveReadersUsable() async throws {
        let container = try container(readersLimit: 2)
        try await container.write { try $0.insert(Author.self).name = "A" }
        for round in 0..<50 {
            let tasks = (0..<8).map { _ in Task { try await container.read(Self.names) } }
            for _ in 0..<round % 10 { await Task.yield() }
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
        }
        #expect(try await container.read(Self.names) == ["A"])
        await container.close()
    }

    @Test func closedContainerThrowsErrors() async throws {
        let container = try container()
        try await container.write { try $0.insert(Author.self).name = "A" }
        _ = try await container.read(Self.names)
        await container.close()
        await #expect(throws: StoreError.self) { try await container.read(Self.names) }
        await #expect(throws: StoreError.self) {
            try await container.write { try $0.insert(Author.self).name = "B" }
        }
        let context = try TestedStore.sqlite.context(in: store)
        #expect(try Self.names(context) == ["A"])
    }

    @Test func cancelledTaskClosesContainer() async throws {
        let container = try container()
        try await container.write { try $0.insert(Author.self).name = "A" }
        _ = try await container.read(Self.names)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await container.close()
        }
        task.cancel()
        await task.value
        // Another coordinator could not open the store for writing before.
        let context = try TestedStore.sqlite.context(in: store)
        #expect(try Self.names(context) == ["A"])
        let late = Task { try await container.write { _ = try $0.insert(Author.self) } }
        late.cancel()
        await #expect(throws: (any Error).self) { try await late.value }
    }

    /// A reader that is opened later must not read a file that has taken the name of the store.
    @Test func readerOfReplacedStoreIsNotOpened() async throws {
        let container = try container()
        try await container.write { try $0.insert(Author.self).name = "A" }
        let path = TestedStore.sqlite.path(in: store)
        try Data("other".utf8).write(to: URL(filePath: path + ".other"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".other", toPath: path)
        let error = await #expect(throws: StoreError.self) { try await container.read(Self.names) }
        #expect(error?.code == .replaced)
    }
}
