internal import CivilTime
internal import SQLiteDriver

/// Brings the SQLite store at one path to a model.
///
/// What SQL can do is done in place, in one transaction. When a mapping of the chain needs objects, all of the
/// chain is carried out in a file beside, which is synced and renamed over the old one. The lock of the store
/// is held all the while, so that two programs that start at once do not both begin.
struct SQLiteMigrator {
    private let path: String
    private let model: ManagedObjectModel
    private let migration: StoreMigration

    init(path: String, model: ManagedObjectModel, _ migration: StoreMigration) {
        self.path = path
        self.model = model
        self.migration = migration
    }

    /// What `migrate` would do; nil when the store is of the model already, or there is none. Nothing is
    /// written.
    func forecast() throws -> MigrationReport? {
        try prepare().map { try report($0) }
    }

    /// Migrates the store, unless it is of the model already or there is none: then nil.
    func migrate() throws -> MigrationReport? {
        guard FileSystem.exists(path) else { return nil }
        let lock = try LockFile(of: path)
        return try withExtendedLifetime(lock) {
            guard let preparation = try prepare() else { return nil }
            let files = MigrationFiles(path: try FileSystem.resolved(path), migration.backups)
            try files.removeLeftovers()
            var report = try report(preparation)
            let meter = MigrationMeter(migration.progress)
            report.backupPath = try files.backUp(model: preparation.plan.source, meter)
            let run = SQLiteMigrationRun(
                path: files.path, preparation.plan, preparation.changes, meter,
                objectCount: report.objectCount)
            try SQLiteStore.translating(path) {
                if preparation.changes.allSatisfy({ $0.obstacle == nil }) {
                    try run.changeInPlace()
                } else {
                    try run.rebuild(files)
                }
            }
            meter.tell(.cleaningUp, 1)
            // The store is migrated; an old backup that stays is no reason to fail.
            try? files.removeOldBackups()
            return report
        }
    }

    // MARK: - Before

    private struct Preparation {
        let plan: MigrationPlan
        let changes: [SQLiteMigrationRun.Change]
        let metadata: StoreMetadata
    }

    private func prepare() throws -> Preparation? {
        try SQLiteSchema.examine(path)
        guard let header = try FileSystem.beginning(of: path, count: 1), !header.isEmpty else { return nil }
        guard let metadata = try SQLiteStore.metadata(of: path), metadata.versionHash != model.versionHash
        else { return nil }
        let plan = try MigrationPlan(from: metadata, to: model, migration, now: .now, path: path)
        let changes = try plan.steps.map { step in try SQLiteMigrationRun.Change(step) }
        return Preparation(plan: plan, changes: changes, metadata: metadata)
    }

    private func report(_ preparation: Preparation) throws -> MigrationReport {
        let steps = zip(preparation.plan.steps, preparation.changes).map { step, change in
            MigrationReport.Step(
                source: step.model.source.versionIdentifiers,
                destination: step.model.destination.versionIdentifiers,
                reasonToCopy: change.obstacle?.description)
        }
        let count = try SQLiteStore.translating(path) {
            let connection = try SQLiteConnection(path: path, mode: .readOnly)
            return try preparation.plan.source.entities.reduce(0) { sum, entity in
                let table = SQLFragment.quoted(entity.name)
                return sum + Int(try connection.integer("SELECT count(*) FROM \(table)") ?? 0)
            }
        }
        return MigrationReport(steps: steps, objectCount: count, backupPath: nil)
    }
}
