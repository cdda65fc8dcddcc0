/// A store's description of itself.
public struct StoreMetadata: Hashable, Sendable {
    /// The identifier of the store. It is created with the store and never changes.
    public var identifier: UUIDValue
    /// The version hash of the model that wrote the store.
    public var versionHash: String
    /// The version identifiers of that model.
    public var versionIdentifiers: [String]
    /// The entries that a program keeps with its objects.
    public var entries: [String: String]

    /// Creates the metadata of a store.
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
