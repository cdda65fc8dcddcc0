internal import Platform

/// The keys of the key paths that were used before.
///
/// A key path is known together with its class, because `\Novel.title` and `\Work.title` differ although they are the same
/// property.
enum KnownKeys {
    private struct Name: Hashable {
        let objectClass: ObjectIdentifier
        let path: AnyKeyPath
    }

    // Unchecked: `AnyKeyPath` is immutable, and a key path that captures a value is never kept.
    private struct Table: @unchecked Sendable {
        var keys: [Name: RecordedKey] = [:]
    }

    private static let known = Locked(Table())

    /// Returns the key of a key path. It is a programming error if the path does not consist of declared properties.
    static func key(of path: AnyKeyPath, of objectClass: ManagedObject.Type) -> RecordedKey {
        let name = Name(objectClass: ObjectIdentifier(objectClass), path: path)
        if let key = known.withLock({ $0.keys[name] }) { return key }
        guard let key = RecordedKey(path, of: objectClass) else {
            fatalError(
                "a key path of \(objectClass) does not consist of properties that are declared with @Attribute, "
                    + "@ToOne or @ToMany")
        }
        known.withLock { $0.keys[name] = key }
        return key
    }
}
