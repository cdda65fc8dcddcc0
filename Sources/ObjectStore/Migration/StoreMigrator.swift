internal import CivilTime

/// Brings the store at one path to a model.
///
/// The lock of the store is held all the while, so that two programs that start at once do not both begin. How
/// the objects are changed is for the kind of the store to say; in every case the store is the old one until
/// all of the new one is on disk.
struct StoreMigrator {
    private let store: any MigratingStore
    private let model: ManagedObjectModel
    private let migration: StoreMigration
    private let meter: MigrationMeter

    init(_ store: any MigratingStore, to model: ManagedObjectModel, _ migration: StoreMigration) {
        self.store = store
        self.model = model
        self.migration = migration
        meter = MigrationMeter(migration.progress)
    }

    private var path: String { store.path }

    /// What `migrate` would do; nil when the store is of the model already, or there is none. Nothing is
    /// written.
    func forecast() throws -> MigrationReport? {
        try prepare()?.report
    }

    /// Migrates the store, unless it is of the model already or there is none: then nil.
    func migrate() throws -> MigrationReport? {
        guard FileSystem.exists(path) else { return nil }
        let lock = try LockFile(of: path)
        return try withExtendedLifetime(lock) {
            try store.recover()
            let files = MigrationFiles(path: try FileSystem.resolved(path), migration.backups)
            guard let (plan, run, prepared) = try prepare() else {
                // A migration that was killed may have been complete.
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
            meter.tell(.cleaningUp, 1)
            // The store is migrated; an old backup that stays is no reason to fail.
            try? files.removeOldBackups(keeping: report.backupPath)
            return report
        }
    }

    private func prepare() throws -> (plan: MigrationPlan, run: any MigrationRun, report: MigrationReport)? {
        guard let metadata = try store.metadata(among: migration.versions + [model]),
            metadata.versionHash != model.versionHash
        else { return nil }
        let plan = try MigrationPlan(from: metadata, to: model, migration, now: .now, path: path)
        // A file that is not a database is read here, all of it.
        let run = try meter.beating { try store.run(plan, meter) }
        let steps = zip(plan.steps, run.reasonsToCopy).map { step, reason in
            MigrationReport.Step(
                source: step.model.source.versionIdentifiers,
                destination: step.model.destination.versionIdentifiers, reasonToCopy: reason)
        }
        return (plan, run, MigrationReport(steps: steps, objectCount: run.objectCount, backupPath: nil))
    }
}

/// A store that may have to be migrated, as its kind sees it.
protocol MigratingStore {
    var path: String { get }

    /// Takes back the change that a crash interrupted. The caller has the store's lock.
    func recover() throws

    /// What the store says about itself; nil when there is none. Nothing is written.
    ///
    /// - Parameter versions: the models that a store of another program may fit.
    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata?

    /// What carries the plan out. Nothing is written before it is told to.
    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun

    /// Makes a copy of the store, complete and on disk when a file of that name is there.
    func copy(to path: String, progress: (Double) -> Void) throws
}

/// Carries a chain of mappings out on one store.
protocol MigrationRun {
    /// How many objects the old store has.
    var objectCount: Int { get }
    /// Of each mapping, why the objects are copied one by one; nil when they are changed where they are.
    var reasonsToCopy: [String?] { get }

    /// Reads the old store, and throws when it is damaged.
    func examine() throws

    /// All of the chain or nothing, durable when it returns.
    func migrate(_ files: MigrationFiles) throws
}
