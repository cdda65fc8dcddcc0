/// A store of a coordinator, with its position and the entities of its objects.
final class AddedStore {
    /// The store's position among the coordinator's stores, in the order in which they were added.
    let position: Int
    /// The identifier of the store that was added. It does not change when another store replaces that store.
    let identifier: UUIDValue
    private(set) var store: any PersistentStore
    /// The store, if it records its history.
    private(set) var recorder: (any HistoryRecording)?
    /// The names of the entities, or `nil` for all entities.
    private let entities: Set<String>?
    /// The version of the store at the last check.
    private var externalVersion: Int64?

    init(_ store: any PersistentStore, at position: Int, for entities: Set<String>?) {
        self.position = position
        self.store = store
        self.entities = entities
        identifier = store.metadata.identifier
        updateRecorder()
    }

    /// Finds out again whether the store records its history.
    func updateRecorder() {
        recorder = (store as? any HistoryRecording).flatMap { $0.recordsHistory ? $0 : nil }
    }

    var name: String { store.name }

    /// Whether another program may have saved in the store since the last call.
    func isChangedByOthers() -> Bool {
        let former = externalVersion
        do {
            externalVersion = try store.externalVersion()
        } catch {
            // The next read reports the error.
            return true
        }
        return externalVersion != former
    }

    /// Closes the store and uses another one with the same content.
    func replaceStore(by new: any PersistentStore) {
        store.close()
        store = new
        updateRecorder()
    }

    /// The store identifier in the IDs of its objects, or `nil` for the first store.
    var objectIdentifier: UUIDValue? { position == 0 ? nil : identifier }

    func holds(_ entity: Entity) -> Bool {
        entities?.contains(entity.name) ?? true
    }
}
