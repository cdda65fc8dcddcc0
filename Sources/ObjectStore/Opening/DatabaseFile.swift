internal import Platform
internal import SQLiteDriver

/// The file of a store in an SQLite database.
struct DatabaseFile: StoreFile {
    let path: String

    /// SQLite would use these files for any other database that is put in its place.
    var companions: [String] { ["-wal", "-shm", "-journal"] }

    func requireUsable() throws(StoreError) { try SQLiteSchema.examine(path) }

    func isInterrupted() throws -> Bool { try HotJournal.exists(beside: path) }

    func recover() throws {
        try HotJournal.rollBack(path)
        try LogCheck.requireWhole(of: path)
    }

    func settle() throws { try SQLiteBackup.endLog(of: path) }

    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata? {
        try SQLiteSchema.examine(path)
        guard let stamp = try FileStamp(of: path) else { return nil }
        guard !stamp.isEmpty else { throw StoreError.emptyFile(path) }
        return try SQLiteStore.metadata(of: path)
    }

    func copy(to copy: String, progress: (Double) -> Bool) throws -> Bool {
        try SQLiteBackup.copy(path, to: copy, progress: progress)
    }

    func problems(model: ManagedObjectModel?) throws -> [String] {
        let found = try SQLiteBackup.problems(of: path, model: model)
        guard let model else { return found }
        do {
            return try found + ValueCheck.problems(of: path, model)
                + RelatedValueCheck.problems(of: path, model)
        } catch  where !found.isEmpty {
            // The pages may be damaged.
            return found
        }
    }

    func restore(to incoming: String) throws { try SQLiteBackup.restore(path, to: incoming) }

    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun {
        try SQLiteStore.translating(path) { try SQLiteMigrationRun(path: path, plan: plan, meter: meter) }
    }
}
