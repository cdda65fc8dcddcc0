internal import Platform

/// The file of a store that is read and written as a whole.
struct WholeFile: StoreFile {
    let path: String
    private let format: any StoreFormat

    init(path: String, format: any StoreFormat) {
        self.path = path
        self.format = format
    }

    private var backup: FileBackup { FileBackup(path: path, format: format) }

    func requireUsable() throws(StoreError) { _ = try FileStamp(of: path) }

    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata? {
        guard let stamp = try FileStamp(of: path) else { return nil }
        guard !stamp.isEmpty else { throw StoreError.emptyFile(path) }
        return try format.metadata(of: path, among: versions)
    }

    func copy(to copy: String, progress: (Double) -> Bool) throws -> Bool {
        try backup.copy(to: copy, progress: progress)
    }

    func problems(model: ManagedObjectModel?) throws -> [String] { try backup.problems() }

    func restore(to incoming: String) throws { try backup.restore(to: incoming) }

    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun {
        try FileMigrationRun(path: path, format: format, plan: plan, meter: meter)
    }
}
