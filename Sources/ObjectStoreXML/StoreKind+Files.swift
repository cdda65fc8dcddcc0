public import ObjectStore

extension StoreKind {
    /// A document in the format of Core Data's XML stores, which people and other programs can read. While it is open,
    /// all of it is in memory.
    public static let xml = StoreKind("xml", format: { XMLFormat() })

    /// A compact binary file in which checksums cover every byte. While it is open, all of it is in memory.
    public static let binary = StoreKind("binary", format: { BinaryFormat() })
}

extension StoreConfiguration {
    /// Returns the configuration of a store in an XML document.
    public static func xml(path: String, readOnly: Bool = false) -> Self {
        Self(.xml, path: path, readOnly: readOnly)
    }

    /// Returns the configuration of a store in a binary file.
    public static func binary(path: String, readOnly: Bool = false) -> Self {
        Self(.binary, path: path, readOnly: readOnly)
    }
}
