/// The format in which a store keeps its objects.
public enum StoreKind: String, Hashable, Sendable, CaseIterable {
    /// An SQLite database.
    case sqlite
    /// A document in the format of Core Data's XML stores. While it is open, all of it is in memory.
    case xml
    /// A compact binary file. While it is open, all of it is in memory.
    case binary
    /// Memory only. The objects do not outlive the store.
    case memory
}

/// The kind, the path and the access mode of a store that a coordinator's `addStore` opens.
public struct StoreConfiguration: Hashable, Sendable {
    public let kind: StoreKind
    /// The path of the file, or `nil` for a store in memory.
    public let path: String?
    /// Whether the store is opened read-only.
    ///
    /// A read-only store must exist and have the coordinator's model. Nothing in it or in its directory is ever
    /// written. Saving a change of its objects is an error.
    public let isReadOnly: Bool

    /// Creates a configuration for a store in a file.
    ///
    /// A missing file and missing directories are created with access for the owner only. For a store in memory,
    /// `path` and `readOnly` are ignored.
    public init(_ kind: StoreKind, path: String, readOnly: Bool = false) {
        self.kind = kind
        self.path = kind == .memory ? nil : path
        isReadOnly = kind == .memory ? false : readOnly
    }

    public static func sqlite(path: String, readOnly: Bool = false) -> Self {
        Self(.sqlite, path: path, readOnly: readOnly)
    }

    public static func xml(path: String, readOnly: Bool = false) -> Self {
        Self(.xml, path: path, readOnly: readOnly)
    }

    public static func binary(path: String, readOnly: Bool = false) -> Self {
        Self(.binary, path: path, readOnly: readOnly)
    }

    public static var memory: Self { Self(.memory, path: "") }
}
