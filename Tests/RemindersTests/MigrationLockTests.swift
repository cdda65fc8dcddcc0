import Foundation
import ObjectStore
import Testing

@testable import Reminders

/// A migration by the real program while another program tries to open the store.
@Suite(.enabled(if: TracedMigration.isPossible, "strace cannot trace here")) struct MigrationLockTests {
    /// A migration from an older store to the current model.
    struct Route: Sendable, CustomTestStringConvertible {
        let fixture: FrozenStore
        /// With a prefix, the objects of a database are copied. Without one, the database is changed in
        /// place.
        let mutePrefix: String?

        var testDescription: String { "\(fixture.name)\(mutePrefix == nil ? "" : " with a policy")" }

        static let all = FrozenStore.all.filter { $0.version < FrozenStore.versions.upperBound }.flatMap {
            fixture in
            (fixture.version == 1 ? [nil, "a"] : [nil]).map { Route(fixture: fixture, mutePrefix: $0) }
        }

        /// The points at which a migration can be interrupted.
        func points() throws -> [TracedMigration.Point] {
            let scratch = try Scratch()
            return try TracedMigration(scratch.copy(fixture), mutePrefix: mutePrefix, in: scratch).points()
        }
    }

    /// Opens the store with the model that wrote it, and requires every item.
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

    /// During a migration, no other program can open the store, of any kind. The error names the process.
    @Test(arguments: Route.all) func concurrentMigrationIsRefused(_ route: Route) throws {
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
            #expect(error?.code == .inUse)
            #expect(error?.message.contains("the process \(holder) has the store open") == true)
        }
        #expect(status == 0)
        try requireEverything(store)
    }
}
