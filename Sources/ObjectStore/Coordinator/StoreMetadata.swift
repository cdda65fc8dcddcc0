/// What a store says about itself.
public struct StoreMetadata: Hashable, Sendable {
    /// Made with the store, never changed.
    public var identifier: UUIDValue
    /// The version hash of the model that wrote it.
    public var versionHash: String
    /// The version identifiers of that model.
    public var versionIdentifiers: [String]
    /// What a program keeps beside its objects.
    public var entries: [String: String]

    public init(
        identifier: UUIDValue, versionHash: String, versionIdentifiers: [String],
        entries: [String: String] = [:]
    ) {
        self.identifier = identifier
        self.versionHash = versionHash
        self.versionIdentifiers = versionIdentifiers
        self.entries = entries
    }
}
