import Foundation
import ObjectStore
import Testing

@testable import Reminders

/// A migration by the real program while another program wants the store.
@Suite(.enabled(if: TracedMigration.isPossible, "strace cannot trace here")) struct MigrationLockTests {
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
        try requireEverything(store)
    }
}
