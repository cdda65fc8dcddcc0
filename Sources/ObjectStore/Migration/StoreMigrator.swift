internal import CivilTime
internal import Platform

/// A migrator that brings the store at one path to a model.
///
/// It holds the store's lock throughout, so that two programs that start at the same time do not both
/// migrate. The kind of store determines how the objects are changed. In every case, the store stays the old
/// one until the new one is complete on disk.
struct StoreMigrator {
    private let store: any StoreFile
    private let model: ManagedObjectModel
    private let migration: StoreMigration
    private let meter: MigrationMeter

    init(_ store: any StoreFile, to model: ManagedObjectModel, _ migration: StoreMigration) {
        self.store = store
        self.model = model
        self.migration = migration
        meter = MigrationMeter(migration.progress)
    }

    private var path: String { store.path }

    /// Returns the report of a migration without writing anything, or `nil` if the store already has the model
    /// or does not exist.
    func forecast() throws -> MigrationReport? {
        try prepare()?.report
    }

    /// Migrates the store. Returns `nil` if it already has the model or does not exist.
    func migrate() throws -> MigrationReport? {
        guard FileSystem.exists(path) else { return nil }
        let lock = try LockFile(of: path)
        return try withExtendedLifetime(lock) {
            try store.recover()
            let files = MigrationFiles(path: try StoreFiles.resolved(path), migration.backups)
            guard let (plan, run, prepared) = try prepare() else {
                // A killed migration may have completed the store without removing its files. They only take up
                // space, so the store opens even if they stay.
                try? files.removeLeftovers()
                return nil
            }
            lock.keep()
            try files.removeLeftovers()
            var report = prepared
            try meter.beating {
                try run.examine()
                report.backupPath = try files.backUp(store, model: plan.source, meter)
                try run.migrate(files)
            }
            meter.notify(.cleaningUp, 1)
            // The store is migrated, so failing to remove an old backup is not an error.
            try? files.removeOldBackups(keeping: report.backupPath)
            return report
        }
    }

    private func prepare() throws -> (plan: MigrationPlan, run: any MigrationRun, report: MigrationReport)? {
        guard let metadata = try store.metadata(among: migration.versions + [model]),
            metadata.versionHash != model.versionHash
        else { return nil }
        let plan = try MigrationPlan(from: metadata, to: model, migration, now: .now, path: path)
        // If the store is not a database, this reads the whole file.
        let run = try meter.beating { try store.run(plan, meter) }
        let steps = zip(plan.steps, run.reasonsToCopy).map { step, reason in
            MigrationReport.Step(
                source: step.model.source.versionIdentifiers,
                destination: step.model.destination.versionIdentifiers, reasonToCopy: reason)
        }
        return (plan, run, MigrationReport(steps: steps, objectCount: run.objectCount, backupPath: nil))
    }
}

/// The work of performing a chain of mapping models on one store.
protocol MigrationRun {
    /// The number of objects in the old store.
    var objectCount: Int { get }
    /// For each mapping model, the reason why objects are copied one by one, or `nil` if they are changed in
    /// place.
    var reasonsToCopy: [String?] { get }

    /// Reads the old store and throws if it is damaged.
    func examine() throws

    /// Performs the whole chain or, if it throws, none of it. The result is durable on return.
    func migrate(_ files: MigrationFiles) throws
}
