extension StoreMetadata {
    /// Creates the metadata of a new store.
    package init(of model: ManagedObjectModel, identifier: UUIDValue) {
        self.init(
            identifier: identifier, versionHash: model.versionHash,
            versionIdentifiers: model.versionIdentifiers)
    }

    /// Throws if the store has another model.
    public func require(_ model: ManagedObjectModel, path: String) throws(StoreError) {
        guard versionHash != model.versionHash else { return }
        throw StoreError(
            .modelMismatch,
            "the store was written with model \(Self.name(of: versionIdentifiers)), "
                + "this is model \(Self.name(of: model.versionIdentifiers)); it has to be migrated: "
                + "add it with a migration, and not read-only",
            path: path)
    }

    /// Returns the error for a store that another program has migrated while this one has it open.
    package func migratedError(_ model: ManagedObjectModel, path: String) -> StoreError {
        let version = Self.name(of: versionIdentifiers)
        return StoreError(
            .newer,
            "another program has migrated the store to model \(version), and this program has model "
                + "\(Self.name(of: model.versionIdentifiers)); nothing was saved, start a program with model \(version)",
            path: path)
    }

    private static func name(of identifiers: [String]) -> String {
        identifiers.isEmpty ? "without a name" : identifiers.joined(separator: "+")
    }
}
