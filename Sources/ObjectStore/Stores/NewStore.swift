/// A store to be made where there is none yet.
struct NewStore {
    let identifier: UUIDValue
    private let filling: ((any PersistentStore) throws -> Void)?

    /// An empty store.
    init(identifier: UUIDValue = UUIDValue()) {
        self.identifier = identifier
        filling = nil
    }

    /// A store that has all that `fill` puts into it from the moment in which it has its name. The place has to be free.
    init(identifier: UUIDValue, fill: @escaping (any PersistentStore) throws -> Void) {
        self.identifier = identifier
        filling = fill
    }

    func fill(_ store: any PersistentStore) throws { try filling?(store) }

    /// Whether the store has to be made: false if there is one.
    func isNeeded(at path: String) throws(StoreError) -> Bool {
        guard let stamp = try FileStamp(of: path) else { return true }
        guard !stamp.isEmpty else { throw StoreError.emptyFile(path) }
        guard filling == nil else {
            throw StoreError(.other, "there is a file already; choose another path", path: path)
        }
        return false
    }
}
