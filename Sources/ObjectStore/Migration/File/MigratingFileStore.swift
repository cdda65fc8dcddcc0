/// A store in a file that is read and written as a whole, seen before a migration.
struct MigratingFileStore: MigratingStore {
    let path: String
    private let format: any StoreFormat

    init(path: String, format: any StoreFormat) {
        self.path = path
        self.format = format
    }

    func metadata(among versions: [ManagedObjectModel]) throws -> StoreMetadata? {
        guard let stamp = try FileStamp(of: path), !stamp.isEmpty else { return nil }
        if let metadata = try format.metadata(path) { return metadata }
        return try FileStore.fittingModel(forForeignXML: path, among: versions).map {
            StoreMetadata(of: $0, identifier: UUIDValue())
        }
    }

    func run(_ plan: MigrationPlan, _ meter: MigrationMeter) throws -> any MigrationRun {
        try FileMigrationRun(path, format, plan, meter)
    }

    func copy(to copy: String, progress: (Double) -> Void) throws {
        let reader = try FileReader(path)
        let file = try FileReplacement(of: copy)
        var piece = try reader.next()
        while !piece.isEmpty {
            try file.append(piece)
            piece = try reader.next()
        }
        try file.finish()
        progress(1)
    }
}
