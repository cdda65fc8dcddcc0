internal import SQLiteDriver

extension SQLiteSchema {
    // The keys of this library. The keys of a program's own entries begin with a dot.
    private static let identifierKey = "identifier"
    private static let hashKey = "versionHash"
    private static let versionsKey = "versionIdentifiers"

    static func readMetadata(_ connection: SQLiteConnection, path: String) throws -> StoreMetadata {
        let statement = try connection.prepare("SELECT \"key\", \"value\" FROM \"_metadata\"")
        var entries: [String: String] = [:]
        while try statement.step() {
            if let key = statement.text(0) { entries[key] = statement.text(1) }
        }
        guard let identifier = entries[identifierKey].flatMap({ UUIDValue($0) }), let hash = entries[hashKey]
        else {
            throw StoreError(
                .damaged, "the store does not say which model wrote it;", restoring: "a backup", path: path)
        }
        let versions = entries[versionsKey].map { $0.split(separator: "\n").map(String.init) } ?? []
        let own = entries.filter { $0.key.hasPrefix(".") }.map { (String($0.key.dropFirst()), $0.value) }
        return StoreMetadata(
            identifier: identifier, versionHash: hash, versionIdentifiers: versions,
            entries: Dictionary(uniqueKeysWithValues: own))
    }

    /// The query for the identifier of the store.
    static let identifierQuery =
        "SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = '\(identifierKey)'"

    static func writeMetadata(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws {
        var entries = Dictionary(uniqueKeysWithValues: metadata.entries.map { (".\($0.key)", $0.value) })
        entries[identifierKey] = metadata.identifier.description
        entries[hashKey] = metadata.versionHash
        entries[versionsKey] = metadata.versionIdentifiers.joined(separator: "\n")
        try connection.execute("DELETE FROM \"_metadata\"")
        let statement = try connection.prepare("INSERT INTO \"_metadata\" VALUES (?, ?)")
        for (key, value) in entries {
            statement.bind(key, at: 1)
            statement.bind(value, at: 2)
            try statement.run()
        }
    }
}

extension SQLiteStore {
    public func setMetadataEntries(_ entries: [String: String]) throws {
        try begin()
        var changed = metadata
        changed.entries = entries
        do {
            try translating { try SQLiteSchema.writeMetadata(changed, connection) }
            try commit()
        } catch {
            rollback()
            throw error
        }
        metadata = changed
    }
}
