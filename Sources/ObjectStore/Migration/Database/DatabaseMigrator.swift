internal import CivilTime

/// A migrator that brings a store in a database server to a model.
///
/// Of several programs that do this at once, one migrates the store. The others wait for it and find nothing to do.
struct DatabaseMigrator {
    private let transaction: any MigrationTransaction
    private let model: ManagedObjectModel
    private let migration: StoreMigration
    private let meter: MigrationMeter

    init(
        _ transaction: any MigrationTransaction, to model: ManagedObjectModel, _ migration: StoreMigration
    ) {
        self.transaction = transaction
        self.model = model
        self.migration = migration
        meter = MigrationMeter(migration.progress)
    }

    /// Returns the report of a migration without writing anything, or `nil` if the store already has the model or does not
    /// exist.
    func forecast() throws -> MigrationReport? {
        guard let plan = try plan() else { return nil }
        return try report(plan, transaction.oldStore(plan.source))
    }

    /// Migrates the store. Returns `nil` if it already has the model or does not exist.
    func migrate() throws -> MigrationReport? {
        // A store that needs no migration, or has none, is not locked.
        guard try plan() != nil else { return nil }
        return try meter.beating {
            meter.notify(.examining, 0, upTo: 1)
            try transaction.begin()
            // Another program may have migrated the store meanwhile.
            guard let plan = try plan() else { return nil }
            let store = try transaction.oldStore(plan.source)
            let report = try report(plan, store)
            try perform(plan, on: store)
            return report
        }
    }

    private func plan() throws -> MigrationPlan? {
        guard let metadata = try transaction.metadata(), metadata.versionHash != model.versionHash else {
            return nil
        }
        return try MigrationPlan(from: metadata, to: model, migration, now: .now, path: transaction.place)
    }

    private func report(_ plan: MigrationPlan, _ store: any PersistentStore) throws -> MigrationReport {
        let steps = plan.steps.map { step in
            MigrationReport.Step(
                source: step.model.source.versionIdentifiers,
                destination: step.model.destination.versionIdentifiers,
                reasonToCopy: "the store is in a database server")
        }
        let count = try plan.source.entities.reduce(0) { sum, entity in
            try sum + store.count(StoreRequest(entity: entity))
        }
        return MigrationReport(steps: steps, objectCount: count, backupPath: nil)
    }

    private func perform(_ plan: MigrationPlan, on store: any PersistentStore) throws {
        var source = store
        for (position, step) in plan.steps.enumerated() {
            let destination = try transaction.makeStore(step.model.destination)
            try copyObjects(step, from: source, to: destination) { part in
                meter.notify(.copying, (Double(position) + part) / Double(plan.steps.count))
            }
            source = destination
        }
        meter.notify(.checking, 0, upTo: 1)
        try transaction.finish()
        meter.notify(.committing, 0, upTo: 1)
        try transaction.commit()
        meter.notify(.cleaningUp, 1)
    }

    private func copyObjects(
        _ step: ResolvedMapping, from source: any PersistentStore, to destination: any MigratedStore,
        progress: @escaping (Double) -> Void
    ) throws {
        let old = PersistentStoreCoordinator(model: step.model.source)
        try old.addStore(source)
        let new = PersistentStoreCoordinator(model: step.model.destination)
        try new.addStore(destination)
        try MigrationManager(step, from: old, to: new, progress: progress).migrate()
        for (from, to) in step.survivors {
            try destination.recordLargestID(source.largestID(of: from), of: to)
        }
    }
}
