/// A store of a coordinator, with its position and the entities of its objects.
final class AddedStore {
    /// The store's position among the coordinator's stores, in the order in which they were added.
    let position: Int
    /// The identifier of the store that was added. It does not change when another store replaces that store.
    let identifier: UUIDValue
    @exclusivity(unchecked) private(set) var store: any PersistentStore
    /// The store, if it records its history.
    private(set) var recorder: (any HistoryRecording)?
    /// The store, if another connection can write to it in the background.
    private(set) var background: (any BackgroundWritable)?
    /// Whether other programs may have the store open for writing.
    private(set) var isShared = false
    /// The names of the entities, or `nil` for all entities.
    private let entities: Set<String>?
    /// The version of the store at the last check.
    private var externalVersion: Int64?
    /// Whether a transaction was opened since the saves of other programs were read.
    private(set) var isBehind = false
    /// The last transaction of the history that the contexts know.
    private(set) var noticed = HistoryPosition()
    /// The last transaction of the history that was reported to observers.
    var reported = HistoryPosition()

    init(_ store: any PersistentStore, at position: Int, for entities: Set<String>?) {
        self.position = position
        self.store = store
        self.entities = entities
        identifier = store.metadata.identifier
        updateCapabilities()
    }

    /// Finds out again what the store can do.
    func updateCapabilities() {
        background = store as? any BackgroundWritable
        recorder = (store as? any HistoryRecording).flatMap { $0.recordsHistory ? $0 : nil }
        isShared = sharedStore != nil
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

    /// The store, if other programs may have it open for writing.
    var sharedStore: (any SharedStore)? {
        (recorder as? any SharedStore).flatMap { $0.isShared ? $0 : nil }
    }

    /// Takes the current state as the one that the contexts know.
    func beginNoticing() throws {
        guard let recorder, isShared || store.isReadOnly else { return }
        externalVersion = try store.externalVersion()
        noticed = try HistoryPosition(endOf: recorder)
        reported = noticed
    }

    /// Opens a transaction level. Until the outermost level ends, no other program saves.
    func begin() throws {
        let isOutermost = isShared && store.transactionDepth == 0
        try store.begin()
        if isOutermost { isBehind = true }
    }

    /// Returns the saves of other programs that the contexts do not know, or `nil` if some of them are not in the history any
    /// more.
    func newSavesOfOthers() throws -> [HistoryTransaction]? {
        isBehind = false
        guard let recorder else { return nil }
        guard let (transactions, last) = try recorder.savesOfOthers(after: noticed) else {
            noticed = try HistoryPosition(endOf: recorder)
            return nil
        }
        noticed = last
        return transactions
    }

    /// Closes the store and uses another one with the same content.
    func replaceStore(by new: any PersistentStore) {
        store.close()
        store = new
        // The new store has a history of its own, which begins now.
        (externalVersion, noticed, reported) = (nil, HistoryPosition(), HistoryPosition())
        updateCapabilities()
    }

    /// The store identifier in the IDs of its objects, or `nil` for the first store.
    var objectIdentifier: UUIDValue? { position == 0 ? nil : identifier }

    func holds(_ entity: Entity) -> Bool {
        entities?.contains(entity.name) ?? true
    }
}
