import Foundation
import ObjectStore
import Synchronization
import Testing

@testable import Reminders

/// A migration that is killed, or that finds no space, at any point: the old store or the new one is there, with
/// every item, and the next start migrates.
@Suite struct MigrationFaultTests {
    /// One way from an older store to the present model.
    struct Route: Sendable, Codable, CustomTestStringConvertible {
        let version: String
        /// With a prefix the objects are copied; without one the store is changed in place.
        let mutePrefix: String?

        var testDescription: String { "from \(version)\(mutePrefix == nil ? "" : ", copying")" }

        static let all = [
            Route(version: "1", mutePrefix: nil), Route(version: "1", mutePrefix: "a"),
            Route(version: "2", mutePrefix: nil), Route(version: "3", mutePrefix: nil),
        ]

        /// Migrates the store; `step` is told how often progress was reported before.
        func migrate(_ path: String, step: @escaping @Sendable (Int) -> Void = { _ in }) throws {
            let calls = Atomic(0)
            let migration = try ReminderModel.migration(mutePrefix: mutePrefix) { _ in
                step(calls.add(1, ordering: .relaxed).oldValue)
            }
            let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
            try coordinator.addStore(.sqlite(path: path), migrating: migration)
            coordinator.close()
        }

        /// How often progress is reported.
        func stepCount() throws -> Int {
            let scratch = try Scratch()
            let last = Mutex(0)
            try migrate(scratch.fixture(version)) { step in last.withLock { $0 = step } }
            return last.withLock { $0 } + 1
        }
    }

    /// Opens the store with the model that wrote it, and demands every item.
    private func requireEverything(_ path: String) throws {
        var isOpen = false
        for model in try ReminderModel.versions() where !isOpen {
            let coordinator = PersistentStoreCoordinator(model: model)
            guard (try? coordinator.addStore(.sqlite(path: path))) != nil else { continue }
            isOpen = true
            let context = ManagedObjectContext(coordinator: coordinator)
            let items = try context.fetch(
                FetchRequest<ManagedObject>(entity: "ToDo", orderedBy: [FetchOrder("id")]))
            let names = try items.map { try $0.value(of: "name") }
            #expect(names == FrozenStore.names.map { .string($0.precomposedStringWithCanonicalMapping) })
            #expect(try items.filter { try $0.target(of: "category") != nil }.count == 8)
            coordinator.close()
        }
        #expect(isOpen)
        #expect(try SQLiteBackup.problems(of: path) == [])
    }

    /// The next start after a fault.
    private func requireRetry(_ route: Route, _ path: String, _ scratch: Scratch) throws {
        try requireEverything(path)
        try route.migrate(path)
        try requireEverything(path)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: path))
        let context = ManagedObjectContext(coordinator: coordinator)
        let muted = try context.fetch(FetchRequest<ToDo>(matching: FetchPredicate("doNotAlert == YES")))
        if route.version == "1" { #expect(muted.map(\.name) == (route.mutePrefix == nil ? [] : ["a"])) }
        coordinator.close()
        #expect(try scratch.files.filter { $0.contains("migrating") || $0.contains("partial") } == [])
    }

    @Test(arguments: Route.all) func killedAtEveryStep(_ route: Route) async throws {
        let count = try route.stepCount()
        for point in 0..<count {
            let scratch = try Scratch()
            let path = try scratch.fixture(route.version)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [route = route as Route, path = path as String, point = point as Int] in
                try route.migrate(path) { step in
                    if step == point { kill(getpid(), SIGKILL) }
                }
            }
            try requireRetry(route, path, scratch)
        }
        print("kill matrix, \(route.testDescription): killed at each of \(count) points")
    }

    @Test(arguments: Route.all) func noSpaceAtAnySize(_ route: Route) async throws {
        let whole = try Scratch()
        let finished = try whole.fixture(route.version)
        try route.migrate(finished)
        let size = try #require(try FileManager.default.attributesOfItem(atPath: finished)[.size] as? Int)
        var failures = 0
        // The -wal of a change in place is larger than the store.
        for limit in stride(from: 0, through: 3 * size, by: 3 * 4_096) {
            let scratch = try Scratch()
            let path = try scratch.fixture(route.version)
            let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                [route = route as Route, path = path as String, limit = limit as Int] in
                signal(SIGXFSZ, SIG_IGN)
                var space = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &space)
                do {
                    try route.migrate(path)
                } catch is StoreError {
                    print("failed as it should")
                }
            }
            let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
            if output.contains("failed as it should") { failures += 1 }
            try requireRetry(route, path, scratch)
        }
        #expect(failures > 0)
    }
}
