/// The connection between the contexts of one model and the stores that keep their objects.
///
/// Every object belongs to one store. The configuration with which a store is added determines the entities of its
/// objects. A new object belongs to the first writable store for its entity.
///
/// A coordinator, its contexts and their objects belong to one queue. None of them is `Sendable`, so the compiler
/// keeps them there.
public final class PersistentStoreCoordinator {
    /// The model of all stores.
    public let model: ManagedObjectModel
    /// The stores, in the order in which they were added.
    @exclusivity(unchecked) private(set) var places: [AddedStore] = []
    /// The stores of each entity, at the entity's position in the model.
    @exclusivity(unchecked) private var placesOfEntities: [[AddedStore]]
    /// The last ID that was assigned to an object of each entity, or `nil` if it has to be read from the stores.
    @exclusivity(unchecked) private var lastIDs: [Int64?]
    /// The last ID of each entity that may be assigned. In a shared store, it is the last of the reserved ones.
    @exclusivity(unchecked) private var endsOfIDs: [Int64]
    /// The number of IDs of each entity that are reserved next.
    private var reservation: [Int64]
    /// The context that has unsaved changes in open transactions, so that its fetches see them. A context that is
    /// released removes itself.
    private unowned(unsafe) var writer: ManagedObjectContext?
    /// The positions of the stores where the writer has an open transaction level, in order.
    private var openPositions: [Int] = []
    /// The number of calls of contexts, inside each other, that use the open transactions.
    @exclusivity(unchecked) private var callDepth = 0
    /// Whether no transaction stays open between the calls of a program.
    private var endsTransactions = false
    /// The current batch, while `batch` or `transaction` runs.
    var batch: Batch?
    /// A batch in which nothing was written, kept for reuse.
    var unusedBatch: Batch?
    let history = ChangeHistory()
    /// Whether any of the stores records its history.
    private(set) var recordsHistory = false
    /// How often saves of other programs were noticed.
    private(set) var noticedSaves = 0
    /// The stores that other programs may write to. These are the stores that were added read-only.
    private var sharedPlaces: [AddedStore] = []
    let observers = ObserverList<SavedChanges, Never>()
    /// The live results in the contexts of this coordinator.
    let liveResults = ObserverList<LiveResultsEvent, Never>()

    /// Creates a coordinator without stores.
    public init(model: ManagedObjectModel) {
        self.model = model
        lastIDs = Array(repeating: nil, count: model.entities.count)
        endsOfIDs = Array(repeating: .max, count: model.entities.count)
        reservation = Array(repeating: Self.firstReservation, count: model.entities.count)
        placesOfEntities = Array(repeating: [], count: model.entities.count)
    }

    deinit {
        for place in places { place.store.close() }
    }

    // MARK: - Stores

    /// The stores in the order in which they were added.
    public var stores: [any PersistentStore] { places.map(\.store) }

    /// The store that was added first, or `nil` if there is none.
    public var store: (any PersistentStore)? { places.first?.store }

    /// An error if one of the stores is damaged, or if its file was removed or replaced; otherwise `nil`.
    ///
    /// Such a store is no longer written. A program that owns it should report the error and exit. If the file was
    /// removed or replaced, it should call `rescueReplacedStore` first.
    public var damage: StoreError? { places.lazy.compactMap(\.store.damage).first }

    /// The reason why one of the stores cannot be copied while it is open, or `nil` if all of them can be; see
    /// ``PersistentStore/openingError``.
    public var openingError: StoreError? { places.lazy.compactMap(\.store.openingError).first }

    /// The reason why a loss of power may undo the last save of one of the stores, or `nil` if all saves are on disk.
    public var durabilityError: StoreError? { places.lazy.compactMap(\.store.durabilityError).first }

    /// Adds a store that is already open, such as one of a kind that you implement.
    ///
    /// - Parameters:
    ///   - store: A store with the model of the coordinator. The coordinator closes it.
    ///   - name: The configuration of the model that contains the entities of the store, or `nil` for all entities.
    public func addStore(_ store: any PersistentStore, configuration name: String? = nil) throws {
        guard batch == nil else {
            throw StoreError(.misuse, "a store cannot be added inside of a batch; add it before")
        }
        let place = AddedStore(store, at: places.count, for: try entities(ofConfiguration: name))
        guard !place.isShared || sharedPlace == nil else {
            throw StoreError(.misuse, "a coordinator shares one store with other programs, and not several")
        }
        try place.beginNoticing()
        if let same = places.first(where: { $0.identifier == place.identifier }) {
            throw StoreError(
                .misuse,
                "\(store.name) is the store \(same.name) again, or a copy of it; add only one of them")
        }
        for entity in model.entities where place.holds(entity) {
            if let last = lastIDs[entity.index] {
                lastIDs[entity.index] = max(last, try store.largestID(of: entity))
            }
        }
        places.append(place)
        updateCapabilities()
        for entity in model.entities where place.holds(entity) {
            placesOfEntities[entity.index].append(place)
        }
    }

    /// Finds out again which stores record their history, and which other programs may write.
    func updateCapabilities() {
        for place in places { place.updateCapabilities() }
        recordsHistory = places.contains { $0.recorder != nil }
        endsTransactions = places.contains { $0.store is any ServerStore }
        sharedPlaces = places.filter { $0.store.isReadOnly || $0.isShared }
        for entity in model.entities {
            // Without a reserved ID, the next new object of a shared store gets one.
            endsOfIDs[entity.index] = sharedPlace.map { $0.holds(entity) ? 0 : .max } ?? .max
        }
    }

    func entities(ofConfiguration name: String?) throws -> Set<String>? {
        guard let name else { return nil }
        guard let entities = model.configurations[name] else {
            let known = model.configurations.keys.sorted().joined(separator: ", ")
            throw StoreError(
                .misuse, "the model has no configuration \(name); it has \(known.isEmpty ? "none" : known)")
        }
        return entities
    }

    /// Closes all stores. The contexts can no longer read or save.
    public func close() {
        abandonWriter()
        for place in places { place.store.close() }
        places = []
        sharedPlaces = []
        recordsHistory = false
        placesOfEntities = Array(repeating: [], count: model.entities.count)
    }

    /// Calls `handler` after each save of any context, when the save is on disk, until the observation is cancelled
    /// or released.
    public func observeSaves(_ handler: @escaping (SavedChanges) -> Void) -> ObservationToken {
        observers.add(handler)
    }

    /// Sets how long a save waits for another program that writes to one of the stores that were added so far. After
    /// this time, the save fails with a `StoreError` of the code `locked`. The default is that of
    /// ``StoreConfiguration/lockTimeout``.
    public func waitForLocks(seconds: Double) {
        for place in places { place.store.waitForLocks(seconds: seconds) }
    }

    // MARK: - Stores of objects

    func store(at position: Int) throws -> any PersistentStore {
        guard position < places.count else { throw noStore }
        return places[position].store
    }

    /// Returns the stores that can have objects of an entity.
    func places(of entity: Entity) throws -> [AddedStore] {
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

    /// Returns the position of the store that has all objects of an entity, or `nil` if there are several such stores or
    /// none.
    func onlyPosition(of entity: Entity) -> Int? {
        placesOfEntities[entity.index].count == 1 ? placesOfEntities[entity.index][0].position : nil
    }

    /// Returns the stores with the given identifiers that can have objects of an entity, or all such stores if
    /// `identifiers` is `nil`.
    func places(of entity: Entity, among identifiers: [UUIDValue]?) throws -> [AddedStore] {
        guard let identifiers else { return try places(of: entity) }
        for identifier in identifiers where !places.contains(where: { $0.identifier == identifier }) {
            throw FetchError(.unknownStore, "the coordinator has no store with the identifier \(identifier)")
        }
        return try places(of: entity).filter { identifiers.contains($0.identifier) }
    }

    /// Returns the store for a new object that is not assigned to a store.
    func placeOfNewObject(of entity: Entity) throws -> AddedStore {
        let places = try places(of: entity)
        let first = places[0]
        if !first.store.isReadOnly { return first }
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

    // MARK: - IDs

    /// Returns an ID that no object of the entity has or had, in any store.
    func nextID(of entity: Entity) throws -> Int64 {
        let last = try lastID(of: entity)
        guard last < endsOfIDs[entity.index] else {
            if let shared = sharedPlace, shared.holds(entity) { return try reserveNextID(of: entity, shared) }
            throw StoreError(
                .other,
                "the largest ID of \(entity.name) is in use or recorded, so no object can be added; correct it or",
                restoring: "a backup", path: try? placeOfNewObject(of: entity).name)
        }
        let next = last + 1
        lastIDs[entity.index] = next
        return next
    }

    /// The number of IDs that are reserved first in a shared store. Each further reservation is twice as large.
    private static let firstReservation: Int64 = 16
    private static let largestReservation: Int64 = 1 << 14

    /// Reserves IDs in a shared store, and returns the first of them.
    private func reserveNextID(of entity: Entity, _ place: AddedStore) throws -> Int64 {
        guard let store = place.sharedStore else { throw noStore }
        let assigned = lastIDs[entity.index] ?? 0
        let largest = try places(of: entity).reduce(assigned) { max($0, try $1.store.largestID(of: entity)) }
        let ids = try store.reserveIDs(of: entity, count: reservation[entity.index], above: largest)
        reservation[entity.index] = min(reservation[entity.index] * 2, Self.largestReservation)
        lastIDs[entity.index] = ids.lowerBound
        endsOfIDs[entity.index] = ids.upperBound
        return ids.lowerBound
    }

    /// Prevents new objects from getting the given ID or a smaller one.
    func reserveIDs(of entity: Entity, upTo id: Int64) throws {
        if let shared = sharedPlace, shared.holds(entity) {
            if let last = lastIDs[entity.index], id > last, id <= endsOfIDs[entity.index] {
                lastIDs[entity.index] = id
            }
            _ = try shared.sharedStore?.reserveIDs(of: entity, count: 1, above: id)
            return
        }
        lastIDs[entity.index] = max(try lastID(of: entity), id)
    }

    /// Makes the contexts treat their objects as doubtful if another program has saved in one of the stores.
    @inline(__always)
    func noticeOtherPrograms() {
        if !sharedPlaces.isEmpty { checkSharedPlaces() }
    }

    private func checkSharedPlaces() {
        for place in sharedPlaces {
            // While a transaction is open, no other program saves.
            let isOpen = place.isShared && place.store.transactionDepth > 0
            guard isOpen ? place.isBehind : place.isChangedByOthers() else { continue }
            do {
                try noticeSavesOfOthers(at: place)
            } catch {
                // The next read of the store reports the error.
                history.distrustObjects()
            }
        }
    }

    /// Makes the contexts treat the objects that other programs have saved as doubtful. Without a history, these are all
    /// objects.
    func noticeSavesOfOthers(at place: AddedStore) throws {
        guard let transactions = try place.newSavesOfOthers(), !transactions.contains(where: \.isMigration)
        else {
            noticedSaves += 1
            return history.distrustObjects()
        }
        guard !transactions.isEmpty else { return }
        noticedSaves += 1
        history.countSave()
        for change in transactions.lazy.flatMap(\.changes) where change.kind != .inserted {
            guard let entity = model.entity(named: change.object.entity) else { continue }
            history.appendDoubt(entity: model.stored(entity), store: place.position, id: change.object.id)
        }
    }

    /// The store that other programs may have open for writing.
    var sharedPlace: AddedStore? { sharedPlaces.first(where: \.isShared) }

    /// Makes the next new objects read the last IDs from the stores again.
    func forgetLastIDs() {
        lastIDs = Array(repeating: nil, count: model.entities.count)
        updateCapabilities()
    }

    private func lastID(of entity: Entity) throws -> Int64 {
        if let last = lastIDs[entity.index] { return last }
        return try places(of: entity).reduce(0) { max($0, try $1.store.largestID(of: entity)) }
    }

    // MARK: - Open transactions

    /// Whether the open transactions have changes of the context.
    func isWriter(_ context: ManagedObjectContext) -> Bool {
        writer?.descends(from: context) ?? false
    }

    /// Whether the open transactions were opened for the context, and not for a child.
    func isOnlyWriter(_ context: ManagedObjectContext) -> Bool {
        writer === context
    }

    /// Opens a transaction level for the unsaved changes of `context` in a store, unless it has one. In a batch, the
    /// level is inside the batch's own transaction.
    func openTransaction(for context: ManagedObjectContext, at position: Int) throws {
        if writer !== context { abandonWriter() }
        guard !openPositions.contains(position) else { return }
        _ = try store(at: position)
        let place = places[position]
        try batch?.open(place)
        try place.begin()
        writer = context
        openPositions.append(position)
        openPositions.sort()
        if place.isBehind { try noticeSavesOfOthers(at: place) }
    }

    /// Returns a description of a reference in the open transactions to a missing object, or `nil` if there is none.
    func danglingReference() throws -> String? {
        for position in openPositions {
            if let reference = try places[position].store.danglingReference() { return reference }
        }
        return nil
    }

    /// Commits the open transactions of a context, store by store in their order, up to the first that fails.
    ///
    /// - Returns: The positions of the stores that were saved, and the reason why not all of them were.
    /// - Throws: The error of the first store, if no store was saved. All transactions are still open then.
    func commitTransactions(of context: ManagedObjectContext) throws -> (saved: [Int], failure: (any Error)?)
    {
        // Unreachable for a program: a save opens the transactions that it commits.
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

    /// Begins a call that uses the open transactions. Each call ends with `endCall`.
    @inline(__always)
    func beginCall() { callDepth += 1 }

    /// Ends a call that uses the open transactions. The outermost one rolls back unsaved changes in stores of servers. The
    /// next call writes them again.
    @inline(__always)
    func endCall() {
        callDepth -= 1
        if endsTransactions, callDepth == 0, batch == nil { abandonWriter() }
    }

    /// Rolls back the unsaved changes that another context wrote to the open transactions, so that `context` neither
    /// sees nor saves them.
    @inline(__always)
    func enter(_ context: ManagedObjectContext) {
        if let writer, writer !== context { abandonWriter() }
    }

    /// Rolls back the unsaved changes that the writer wrote to the open transactions. The writer writes them again
    /// when it needs them.
    func abandonWriter() {
        guard let writer else { return }
        self.writer = nil
        for position in openPositions { places[position].store.rollback() }
        openPositions = []
        writer.forgetWritten()
        if writer.parent != nil { for ancestor in writer.ancestors { ancestor.forgetWritten() } }
    }

    /// Ends the open transactions after an error. If a store has ended all its levels, the saves of a batch in it are
    /// lost.
    func transactionFailed(_ error: any Error) {
        abandonWriter()
        var ended = batch
        while let batch = ended {
            for place in places where place.store.transactionDepth == 0 && batch.isOpen(place) {
                batch.fail(error, at: place.position)
            }
            ended = batch.outer
        }
    }
}
