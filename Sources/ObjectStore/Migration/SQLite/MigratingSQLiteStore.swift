internal import Platform
internal import SQLiteDriver

/// A store in an SQLite database, before a migration.
struct MigratingSQLiteStore: MigratingStore {
    let path: String

    func recover() throws {
        try HotJournal.rollBack(path)
        try LogCheck.requireWhole(of: path)
    }

    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata? {
        try SQLiteSchema.examine(path)
        guard let stamp = try FileStamp(of: path) else { return nil }
        guard !stamp.isEmpty else { throw StoreError.emptyFile(path) }
        return try SQLiteStore.metadata(of: path)
    }

    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun {
        try SQLiteStore.translating(path) { try SQLiteMigrationRun(path: path, plan: plan, meter: meter) }
    }

    func copy(to copy: String, progress: (Double) -> Void) throws {
        try SQLiteBackup.copy(path, to: copy) { fraction in
            progress(fraction)
            return true
        }
    }
}
