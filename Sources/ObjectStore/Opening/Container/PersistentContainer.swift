internal import Dispatch
internal import Platform

/// A store for tasks and actors: one writer, and readers that work at the same time.
///
///     let container = try await PersistentContainer.open(.sqlite(path: path), model: model)
///     try await container.write { try $0.insert(Book.self).title = "Emma" }
///     let titles = try await container.read { try $0.fetch(Book.all).map(\.title) }
///
/// The functions may be called from any task, also of an actor or of the main actor. They suspend the task and run the
/// closure on a queue of the container. Objects belong to the context of one closure and cannot leave it, because they
/// are not `Sendable`. Return values, or object IDs, instead.
///
/// An SQLite store is read by several connections at the same time, also during a write. A store of another kind is
/// read and written by one closure after the other.
public final class PersistentContainer: Sendable {
    /// The model of the store.
    public let model: ManagedObjectModel
    /// The report of the migration when the store was opened, or `nil` if there was none.
    public let migrationReport: MigrationReport?
    private let writer: CoordinatorQueue
    /// The readers, or `nil` if the writer also reads.
    private let readers: ReaderPool?
    private let saveBuffers: SaveBuffers
    private let closing = Locked(false)

    /// Opens a store, or creates it, on a queue of the container. The task is suspended, also during a migration.
    ///
    /// A migration that has begun is completed, also if the task is cancelled. ``StoreMigration/progress`` reports its
    /// progress, and ``migrationReport`` describes it afterwards.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - model: The model of the store.
    ///   - migration: The migration of a store of an older model, or `nil` if such a store is an error.
    ///   - readersLimit: The most reads at the same time, at least 1. Further reads wait for the first one that ends.
    /// - Throws: The errors of `addStore` of a coordinator, or a `CancellationError` if the task was cancelled before.
    public static func open(
        _ store: StoreConfiguration, model: ManagedObjectModel, migrating migration: StoreMigration? = nil,
        readersLimit: Int = 4
    ) async throws -> PersistentContainer {
        try Task.checkCancellation()
        let queue = DispatchQueue(label: "ObjectStore")
        return try await queue.run {
            try PersistentContainer(store, model, migration, readersLimit, on: queue)
        }
    }

    /// Opens a store, or creates it, on the thread of the caller, which waits for a migration. In a task, use
    /// ``open(_:model:migrating:readersLimit:)``.
    ///
    /// - Parameters:
    ///   - store: The store.
    ///   - model: The model of the store.
    ///   - migration: The migration of a store of an older model, or `nil` if such a store is an error.
    ///   - readersLimit: The most reads at the same time, at least 1. Further reads wait for the first one that ends.
    /// - Throws: The errors of `addStore` of a coordinator, or a ``StoreError`` of the code `misuse` if `readersLimit` is
    ///   less than 1.
    public convenience init(
        _ store: StoreConfiguration, model: ManagedObjectModel, migrating migration: StoreMigration? = nil,
        readersLimit: Int = 4
    ) throws {
        try self.init(store, model, migration, readersLimit, on: DispatchQueue(label: "ObjectStore"))
    }

    private init(
        _ store: StoreConfiguration, _ model: ManagedObjectModel, _ migration: StoreMigration?,
        _ readersLimit: Int, on queue: DispatchQueue
    ) throws {
        guard readersLimit > 0 else {
            throw StoreError(
                .misuse, "a container needs at least one reader; readersLimit is \(readersLimit)")
        }
        self.model = model
        let buffers = SaveBuffers()
        saveBuffers = buffers
        var report: MigrationReport?
        writer = try CoordinatorQueue(queue, model: model) { coordinator in
            if let migration {
                report = try coordinator.addStore(store, migrating: migration)
            } else {
                try coordinator.addStore(store)
            }
            return coordinator.observeSaves { buffers.report(.saved($0)) }
        }
        migrationReport = report
        readers = writer.readerOpening.map { ReaderPool(model: model, limit: readersLimit, opening: $0) }
    }

    /// Runs `body` with a context that reads one state of the store.
    ///
    /// The state is the one that was saved last when the read begins, so a read after a write sees that write. The
    /// context cannot save. All other reads and the writer continue to work.
    ///
    /// If the task is cancelled, the read ends: while it waits for a reader, or by an interruption of its fetches.
    ///
    /// - Throws: The error of `body`, or a `CancellationError` if the task was cancelled before `body` returned.
    public func read<Result: Sendable>(
        _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        guard let readers else {
            return try await writer.run { coordinator, job in
                try Self.readOnly(coordinator) { context in try job.interruptible { try body(context) } }
            }
        }
        return try await readers.run { coordinator in try Self.withContext(of: coordinator, body) }
    }

    /// Runs `body` with a context, and saves its changes.
    ///
    /// The changes are on disk when the function returns. If `body` throws, nothing of it is saved, not even what it has
    /// saved itself. Writes run one after the other, in the order in which they begin to wait.
    ///
    /// If the task is cancelled before the save begins, the write ends: while it waits for its turn, or by an
    /// interruption of its fetches. Nothing is saved then.
    ///
    /// - Parameters:
    ///   - author: The author of the save in the history of the store.
    ///   - body: The changes.
    /// - Throws: The error of `body` or of the save, or a `CancellationError` if the task was cancelled before.
    public func write<Result: Sendable>(
        author: String? = nil, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        try await writer.run { coordinator, job in
            try coordinator.transaction {
                try Self.withContext(of: coordinator) { context in
                    context.transactionAuthor = author
                    let result = try job.interruptible { try body(context) }
                    // A save that has begun is completed.
                    try context.save()
                    return result
                }
            }
        }
    }

    /// Returns the saves from now on, also those of ``noticeSavesOfOtherPrograms()``.
    ///
    /// - Parameter limit: The most saves that are kept until the sequence is read. If there are more,
    ///   ``ContainerSaves/Element/missed`` takes their place.
    public func saves(limit: Int = 100) -> ContainerSaves {
        guard limit > 0 else { fatalError("a sequence of saves keeps at least one; the limit is \(limit)") }
        return ContainerSaves(buffer: saveBuffers.add(limit: limit))
    }

    /// Reports the saves of other programs since the last call to ``saves(limit:)``.
    ///
    /// Reads and writes see such saves without this call. It costs very little if no other program has saved, so a
    /// program may call it often. The store has to be shared.
    ///
    /// - Throws: A ``StoreError``.
    public func noticeSavesOfOtherPrograms() async throws {
        try await writer.run { [saveBuffers] coordinator, _ in
            do {
                try coordinator.mergeSavesOfOtherPrograms()
            } catch let error as StoreError where error.code == .historyLost {
                saveBuffers.report(.missed)
            }
        }
    }

    /// Calls ``noticeSavesOfOtherPrograms()`` again and again, until the task is cancelled or the container is closed.
    ///
    ///     async let noticing: Void = container.noticeSavesOfOtherPrograms(every: .milliseconds(500))
    ///
    /// - Parameter interval: The time between two calls.
    /// - Throws: A ``StoreError``, or a `CancellationError` if the task was cancelled.
    public func noticeSavesOfOtherPrograms(every interval: Duration) async throws {
        while !isClosing {
            try await noticeSavesOfOtherPrograms()
            try await Task.sleep(for: interval)
        }
    }

    /// Whether ``close()`` has been called.
    var isClosing: Bool { closing.withLock { $0 } }

    /// Closes the store when the running closures have ended. Later reads and writes throw a ``StoreError``.
    public func close() async {
        closing.withLock { $0 = true }
        await readers?.close()
        await writer.close()
        saveBuffers.end()
    }

    /// Runs `body` with a context that cannot save, in a store that only one coordinator can read.
    private static func readOnly<Result>(
        _ coordinator: PersistentStoreCoordinator, _ body: (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        var result: Result?
        do {
            try coordinator.transaction {
                result = try withContext(of: coordinator) { context in
                    let refusal = context.beforeSave {
                        throw StoreError(.readOnly, "a read of a container cannot save; use its write")
                    }
                    return try withExtendedLifetime(refusal) { try body(context) }
                }
                // What `updateAll` and `deleteAll` have changed is rolled back.
                throw EndOfRead()
            }
        } catch is EndOfRead {}
        guard let result else { throw EndOfRead() }
        return result
    }

    private struct EndOfRead: Error {}

    /// Objects do not keep their context alive, so it lives until `body` returns.
    private static func withContext<Result>(
        of coordinator: PersistentStoreCoordinator, _ body: (ManagedObjectContext) throws -> Result
    ) throws -> Result {
        let context = ManagedObjectContext(coordinator: coordinator)
        return try withExtendedLifetime(context) { try body(context) }
    }
}
