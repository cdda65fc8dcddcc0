internal import Platform

/// A store to create at a path that has none yet.
package struct NewStore {
    package let identifier: UUIDValue
    private let filling: ((any PersistentStore) throws -> Void)?

    /// Describes an empty store.
    package init(identifier: UUIDValue = UUIDValue()) {
        self.identifier = identifier
        filling = nil
    }

    /// Describes a store that contains the changes of `fill` from the moment it has its final name. It is an
    /// error if a file exists at its path.
    init(identifier: UUIDValue, fill: @escaping (any PersistentStore) throws -> Void) {
        self.identifier = identifier
        filling = fill
    }

    package func fill(_ store: any PersistentStore) throws { try filling?(store) }

    /// Whether the store has to be created. It is false if there is a store at `path`.
    ///
    /// - Throws: a `StoreError` if the file is empty, or if there is a file and the new store is not an empty one.
    func isNeeded(at path: String) throws(StoreError) -> Bool {
        guard let stamp = try FileStamp(of: path) else { return true }
        guard !stamp.isEmpty else { throw StoreError.emptyFile(path) }
        guard filling == nil else {
            throw StoreError(.other, "there is a file already; choose another path", path: path)
        }
        return false
    }
}
