internal import Platform

/// A store in a file that is read and written as a whole, before a migration.
struct MigratingFileStore: MigratingStore {
    let path: String
    private let format: any StoreFormat

    init(path: String, format: any StoreFormat) {
        self.path = path
        self.format = format
    }

    /// Does nothing, because the file is always replaced as a whole.
    func recover() {}

    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata? {
        guard let stamp = try FileStamp(of: path) else { return nil }
        guard !stamp.isEmpty else { throw StoreError.emptyFile(path) }
        if let metadata = try format.metadata(path) { return metadata }
        return try FileStore.fittingModel(forForeignXML: path, among: versions).map {
            StoreMetadata(of: $0, identifier: UUIDValue())
        }
    }

    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun {
        try FileMigrationRun(path: path, format: format, plan: plan, meter: meter)
    }

    func copy(to copy: String, progress: (Double) -> Void) throws {
        try FileBackup(path: path, format: format).copy(to: copy) { fraction in
            progress(fraction)
            return true
        }
    }
}
