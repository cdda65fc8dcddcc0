/// A store in its coordinator: where it stands, and the objects of which entities it is for.
final class StorePlace {
    /// Among the coordinator's stores, in the order in which they were added.
    let position: Int
    /// Of the store that was added. It stays when another store takes the place of that one.
    let identifier: UUIDValue
    private(set) var store: any PersistentStore
    /// The names of the entities; nil for all.
    private let entities: Set<String>?
    /// The version of the store when it was last asked.
    private var externalVersion: Int64?

    init(_ store: any PersistentStore, at position: Int, for entities: Set<String>?) {
        self.position = position
        self.store = store
        self.entities = entities
        identifier = store.metadata.identifier
    }

    var name: String { store.name }

    /// Whether another program may have saved in the store since this was last asked.
    func isChangedByOthers() -> Bool {
        let former = externalVersion
        do {
            externalVersion = try store.externalVersion()
        } catch {
            // The read that follows reports it.
            return true
        }
        return externalVersion != former
    }

    /// Closes the store and goes on with another one, which holds the same.
    func replaceStore(by new: any PersistentStore) {
        store.close()
        store = new
    }

    /// How its objects are named; nil for the first store.
    var objectIdentifier: UUIDValue? { position == 0 ? nil : identifier }

    func holds(_ entity: Entity) -> Bool {
        entities?.contains(entity.name) ?? true
    }
}
