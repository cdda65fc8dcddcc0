import Foundation
import ObjectStore
import Testing

@testable import Reminders

/// A migration by the real program that is killed, or that finds no space or a failing disk, at any point: the old
/// store or the new one is there, with every item, and the next start migrates.
@Suite(.enabled(if: TracedMigration.isPossible, "strace cannot trace here")) struct MigrationFaultTests {
    /// One way from an older store to the present model.
    struct Route: Sendable, CustomTestStringConvertible {
        let fixture: FrozenStore
        /// With a prefix the objects of a database are copied; without one it is changed in place.
        let mutePrefix: String?

        var testDescription: String { "\(fixture.name)\(mutePrefix == nil ? "" : " with a policy")" }

        static let all = FrozenStore.all.filter { $0.version < FrozenStore.versions.upperBound }.flatMap {
            fixture in
            (fixture.version == 1 ? [nil, "a"] : [nil]).map { Route(fixture: fixture, mutePrefix: $0) }
        }

        /// Where a migration can be disturbed.
        func points() throws -> [TracedMigration.Point] {
            let scratch = try Scratch()
            return try TracedMigration(scratch.copy(fixture), mutePrefix: mutePrefix, in: scratch).points()
        }
    }

    /// Opens the store with the model that wrote it, and demands every item.
    private func requireEverything(_ store: StoreConfiguration) throws {
        var isOpen = false
        for model in try ReminderModel.versions() where !isOpen {
            let coordinator = PersistentStoreCoordinator(model: model)
            guard (try? coordinator.addStore(store)) != nil else { continue }
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
        if store.kind == .sqlite, let path = store.path { #expect(try SQLiteBackup.problems(of: path) == []) }
    }

    /// The next start after a fault.
    private func requireRetry(_ route: Route, _ store: StoreConfiguration, _ scratch: Scratch) throws {
        try requireEverything(store)
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(store, migrating: ReminderModel.migration(mutePrefix: route.mutePrefix))
        let context = ManagedObjectContext(coordinator: coordinator)
        let muted = try context.fetch(FetchRequest<ToDo>(matching: FetchPredicate("doNotAlert == YES")))
        if route.fixture.version == 1 {
            #expect(muted.map(\.name) == (route.mutePrefix == nil ? [] : ["a"]))
        }
        coordinator.close()
        try requireEverything(store)
        let litter = ["migrating", ".partial", ".new", "-journal"]
        #expect(try scratch.files.filter { file in litter.contains { file.contains($0) } } == [])
    }

    @Test(arguments: Route.all) func killedAtEveryStep(_ route: Route) throws {
        let points = try route.points()
        #expect(points.contains { $0.call == "rename" })
        for point in points {
            let scratch = try Scratch()
            let store = try scratch.copy(route.fixture)
            let migration = try TracedMigration(store, mutePrefix: route.mutePrefix, in: scratch)
            let result = try migration.run(.kill, at: point)
            #expect(result.status == SIGKILL, "\(point): \(result.output)")
            try requireRetry(route, store, scratch)
        }
        print("kill matrix, \(route.testDescription): killed at each of \(points.count) points")
    }

    @Test(arguments: Route.all) func noSpaceOrAFailingDiskAtEveryStep(_ route: Route) throws {
        let points = try route.points().filter { $0.isWrite || $0.isSync }
        var failures = 0
        for point in points {
            let scratch = try Scratch()
            let store = try scratch.copy(route.fixture)
            let migration = try TracedMigration(store, mutePrefix: route.mutePrefix, in: scratch)
            let result = try migration.run(point.isWrite ? .noSpace : .failingDisk, at: point)
            // What fails after the new store is in its place is not worth failing for.
            #expect(result.status == 0 || result.status == 1, "\(point): \(result.output)")
            if result.status == 1 { failures += 1 }
            try requireRetry(route, store, scratch)
        }
        #expect(failures > points.count / 2)
    }

    /// Whatever the kind: in the middle of a migration nobody else gets the store, and is told who has it.
    @Test(arguments: Route.all) func theSecondOfTwoIsRefused(_ route: Route) throws {
        let scratch = try Scratch()
        let store = try scratch.copy(route.fixture)
        let migration = try TracedMigration(store, mutePrefix: route.mutePrefix, in: scratch)
        let points = try route.points()
        let status = try migration.run(stoppingAt: points[points.count / 2]) {
            let holder = try #require(try migration.lockHolder())
            let error = #expect(throws: StoreError.self) {
                try PersistentStoreCoordinator(model: ReminderModel.current())
                    .addStore(store, migrating: ReminderModel.migration())
            }
            #expect(error?.code == .locked)
            #expect(error?.message.contains("the process \(holder) has the store open") == true)
        }
        #expect(status == 0)
        try requireRetry(route, store, scratch)
    }
}
