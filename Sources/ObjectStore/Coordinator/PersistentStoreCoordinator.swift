/// Stands between the contexts of one model and the stores that keep their objects.
///
/// Every object belongs to one store. Which stores an entity's objects may be in is said by the configuration
/// with which a store is added; a new object goes to the first of them that can be written.
///
/// A coordinator, its contexts and their objects belong to one queue. None of them is `Sendable`, so the
/// compiler keeps them there.
public final class PersistentStoreCoordinator {
    public let model: ManagedObjectModel
    /// In the order in which the stores were added.
    private(set) var places: [StorePlace] = []
    /// The places of each entity, at its position in the model.
    private var placesOfEntities: [[StorePlace]]
    /// The last id that was given out, of each entity; nil until the first is wanted.
    private var lastIDs: [Int64?]
    /// The context whose unsaved changes stand in open transactions, so that its fetches see them. A context
    /// that goes away takes itself out.
    private unowned(unsafe) var writer: ManagedObjectContext?
    /// The positions of the stores where it has a level of transaction open, in order.
    private var openPositions: [Int] = []
    /// Set while `batch` runs.
    var batch: Batch?
    /// One in which nothing was written, for the next.
    var unusedBatch: Batch?
    let history = ChangeHistory()
    /// The stores that other programs may write to.
    private var sharedPlaces: [StorePlace] = []
    let observers = ObserverList<SavedChanges>()

    public init(model: ManagedObjectModel) {
        self.model = model
        lastIDs = Array(repeating: nil, count: model.entities.count)
        placesOfEntities = Array(repeating: [], count: model.entities.count)
    }

    deinit {
        for place in places { place.store.close() }
    }

    // MARK: - Stores

    /// The stores in the order in which they were added.
    public var stores: [any PersistentStore] { places.map(\.store) }

    /// The store that was added first.
    public var store: (any PersistentStore)? { places.first?.store }

    /// What was found damaged in one of the stores while it was read, or that its file was removed or replaced. Such a
    /// store is not written any more; a program that owns it does best to say so and to end, and in the latter case to
    /// call `rescueReplacedStore` before.
    public var damage: StoreError? { places.lazy.compactMap(\.store.damage).first }

    /// Why one of the stores cannot be copied while it is open, or `nil` if all of them can be; see
    /// ``PersistentStore/openingError``.
    public var openingError: StoreError? { places.lazy.compactMap(\.store.openingError).first }

    /// Why a loss of power may undo the last save of one of the stores, or `nil` if all of them are on disk.
    public var durabilityError: StoreError? { places.lazy.compactMap(\.store.durabilityError).first }

    /// Adds a store that is open already: one of your own kind.
    ///
    /// - Parameter configuration: the configuration of the model whose entities the store is for; nil for all.
    public func addStore(_ store: any PersistentStore, configuration name: String? = nil) throws {
        guard batch == nil else {
            throw StoreError(.other, "a store cannot be added inside of a batch; add it before")
        }
        let place = StorePlace(store, at: places.count, for: try entities(ofConfiguration: name))
        if let same = places.first(where: { $0.identifier == place.identifier }) {
            throw StoreError(
                .other,
                "\(store.name) is the store \(same.name) once more, or a copy of it; add one of them only")
        }
        for entity in model.entities where place.holds(entity) {
            if let last = lastIDs[entity.index] {
                lastIDs[entity.index] = max(last, try store.largestID(of: entity))
            }
        }
        places.append(place)
        if store.isReadOnly { sharedPlaces.append(place) }
        for entity in model.entities where place.holds(entity) {
            placesOfEntities[entity.index].append(place)
        }
    }

    func entities(ofConfiguration name: String?) throws -> Set<String>? {
        guard let name else { return nil }
        guard let entities = model.configurations[name] else {
            let known = model.configurations.keys.sorted().joined(separator: ", ")
            throw StoreError(
                .other, "the model has no configuration \(name); it has \(known.isEmpty ? "none" : known)")
        }
        return entities
    }

    /// Closes the stores; the contexts cannot read or save any more.
    public func close() {
        abandonWriter()
        for place in places { place.store.close() }
        places = []
        sharedPlaces = []
        placesOfEntities = Array(repeating: [], count: model.entities.count)
    }

    /// Calls `handler` after each save that is on disk, whichever context made it, until the observation
    /// is cancelled or gone.
    public func observeSaves(_ handler: @escaping (SavedChanges) -> Void) -> Observation {
        observers.add(handler)
    }

    /// How long a save waits for another program that writes to one of the stores that were added, before it is refused
    /// with a `StoreError` of the code `locked`; 5 s unless this says otherwise.
    public func waitForLocks(seconds: Double) {
        for place in places { (place.store as? SQLiteStore)?.waitForLocks(seconds: seconds) }
    }

    // MARK: - Where objects are

    func store(at position: Int) throws -> any PersistentStore {
        guard position < places.count else { throw noStore }
        return places[position].store
    }

    /// The stores that the entity's objects may be in.
    func places(of entity: Entity) throws -> [StorePlace] {
        let places = placesOfEntities[entity.index]
        guard !places.isEmpty else {
            if self.places.isEmpty { throw noStore }
            throw StoreError(
                .noStore,
                "no store of the coordinator is for objects of \(entity.name); "
                    + "add one with a configuration that has the entity")
        }
        return places
    }

    /// Those of the stores with the identifiers that the entity's objects may be in; all with nil.
    func places(of entity: Entity, among identifiers: [UUIDValue]?) throws -> [StorePlace] {
        guard let identifiers else { return try places(of: entity) }
        for identifier in identifiers where !places.contains(where: { $0.identifier == identifier }) {
            throw FetchError(.unknownStore, "the coordinator has no store with the identifier \(identifier)")
        }
        return try places(of: entity).filter { identifiers.contains($0.identifier) }
    }

    /// Where a new object goes that is not assigned to a store.
    func placeOfNewObject(of entity: Entity) throws -> StorePlace {
        let places = try places(of: entity)
        guard let place = places.first(where: { !$0.store.isReadOnly }) else {
            throw StoreError(
                .readOnly,
                "objects of \(entity.name) are in \(places.map(\.name).joined(separator: ", ")) only, "
                    + "which was added read-only; add a store that can be written")
        }
        return place
    }

    private var noStore: StoreError {
        StoreError(.noStore, "the coordinator has no store; add one before the objects are used")
    }

    // MARK: - Ids

    /// An id that no object of the entity has or had, in any store.
    func nextID(of entity: Entity) throws -> Int64 {
        let next = try lastID(of: entity) + 1
        lastIDs[entity.index] = next
        return next
    }

    /// Gives no id up to that one to a new object.
    func reserveIDs(of entity: Entity, upTo id: Int64) throws {
        lastIDs[entity.index] = max(try lastID(of: entity), id)
    }

    /// Makes the contexts treat their objects as doubtful if another program has saved in one of the stores.
    @inline(__always)
    func noticeOtherPrograms() {
        if !sharedPlaces.isEmpty { checkSharedPlaces() }
    }

    private func checkSharedPlaces() {
        // Each is asked, because each remembers its version.
        let changed = sharedPlaces.filter { $0.isChangedByOthers() }
        if !changed.isEmpty { history.distrustObjects() }
    }

    /// Somebody else has saved objects in the stores.
    func forgetLastIDs() {
        lastIDs = Array(repeating: nil, count: model.entities.count)
    }

    private func lastID(of entity: Entity) throws -> Int64 {
        if let last = lastIDs[entity.index] { return last }
        return try places(of: entity).reduce(0) { max($0, try $1.store.largestID(of: entity)) }
    }

    // MARK: - Whose transactions are open

    func isWriter(_ context: ManagedObjectContext) -> Bool {
        writer === context
    }

    /// Opens a level of transaction for the unsaved changes of `context` in a store, unless it has one; the first
    /// of a batch stands inside of the batch's own.
    func openTransaction(for context: ManagedObjectContext, at position: Int) throws {
        if writer !== context { abandonWriter() }
        guard !openPositions.contains(position) else { return }
        let store = try store(at: position)
        try batch?.open(places[position])
        try store.begin()
        writer = context
        openPositions.append(position)
        openPositions.sort()
    }

    /// What refers, in the open transactions, to an object that is not there; nil when nothing does.
    func danglingReference() throws -> String? {
        for position in openPositions {
            if let reference = try places[position].store.danglingReference() { return reference }
        }
        return nil
    }

    /// Keeps what the context wrote, store by store in their order, up to the first that fails.
    ///
    /// - Returns: the positions of the stores that were saved, and why not all of them were. When none was, it
    ///   throws instead, and all transactions are open still.
    func commitTransactions(of context: ManagedObjectContext) throws -> (saved: [Int], failure: (any Error)?)
    {
        precondition(writer === context, "only the context with the open transactions commits them")
        var saved: [Int] = []
        for position in openPositions {
            do {
                try places[position].store.commit()
                saved.append(position)
            } catch  where !saved.isEmpty {
                openPositions.removeFirst(saved.count)
                return (saved, error)
            }
        }
        openPositions = []
        writer = nil
        return (saved, nil)
    }

    /// Takes back what another context wrote without saving, so that `context` neither sees nor saves it.
    func enter(_ context: ManagedObjectContext) {
        if writer !== context { abandonWriter() }
    }

    /// Takes back what a context wrote without saving; the context writes it again when it needs to.
    func abandonWriter() {
        guard let writer else { return }
        self.writer = nil
        for position in openPositions { places[position].store.rollback() }
        openPositions = []
        writer.forgetWritten()
    }

    /// The open transactions cannot go on after `error`. Where a store gave up all levels, the saves of a batch
    /// are lost with it.
    func transactionFailed(_ error: any Error) {
        abandonWriter()
        guard let batch else { return }
        for place in places where place.store.transactionDepth == 0 && batch.isOpen(place) {
            batch.fail(error, at: place.position)
        }
    }
}
