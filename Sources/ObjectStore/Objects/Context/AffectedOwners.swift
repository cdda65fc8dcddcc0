/// The objects whose derived attributes follow from changed objects, in one or several stores.
struct AffectedOwners {
    /// The objects of one entity in one store.
    struct Place: Hashable {
        /// The position of the store in the coordinator.
        let store: Int
        /// The position of the entity in the model.
        let entity: Int
    }

    /// A search for the objects that a relationship connects with changed ones.
    struct Search: Hashable {
        /// The place of the changed objects.
        let place: Place
        /// The position of the effect in the list of its entity.
        let effect: Int
    }

    /// The affected objects that are known.
    private(set) var owners: [Place: Set<Int64>] = [:]
    /// The changed objects whose related objects have to be searched in the store.
    private(set) var searches: [Search: [Int64]] = [:]

    var isEmpty: Bool { owners.isEmpty && searches.isEmpty }

    mutating func insert(_ id: Int64, at place: Place) { owners[place, default: []].insert(id) }

    mutating func insert(_ ids: [Int64], at place: Place) { owners[place, default: []].formUnion(ids) }

    mutating func search(from ids: [Int64], by search: Search) { searches[search, default: []] += ids }
}

/// The effects that the unsaved changes of a context have on attributes that are derived from related objects.
final class RelatedChanges {
    /// An object with derived attributes.
    struct Owner: Hashable {
        let place: AffectedOwners.Place
        let id: Int64
    }

    let derivations: RelatedDerivations
    /// The objects to which a changed object referred whenever it was written, because its row in the open transaction has the
    /// last of them only.
    var formerTargets: [ManagedObject: Set<Owner>] = [:]
    /// The objects that got other values in the open transactions, with the columns.
    private(set) var written: [Owner: Set<Int>] = [:]
    /// The objects in memory that show values of the open transactions.
    private(set) var shown: Set<Owner> = []
    /// The objects in memory that may show values of transactions that were rolled back.
    private(set) var outdated: Set<Owner> = []
    /// The values that the model does not allow. They are not written.
    var failures: [Owner: [ValidationError.Failure]] = [:]

    init(_ derivations: RelatedDerivations) { self.derivations = derivations }

    func note(_ columns: Set<Int>, of owner: Owner) { written[owner, default: []].formUnion(columns) }

    func noteShown(_ owner: Owner) { shown.insert(owner) }

    /// Forgets the failures of objects that are about to be computed.
    func forgetFailures(of affected: AffectedOwners) {
        guard !failures.isEmpty else { return }
        for (place, ids) in affected.owners {
            for id in ids { failures[Owner(place: place, id: id)] = nil }
        }
    }

    /// Forgets the changes in the open transactions, which were rolled back.
    func forgetWritten() {
        written = [:]
        failures = [:]
        formerTargets = [:]
        outdated.formUnion(shown)
        shown = []
    }

    /// Returns the objects whose values in memory have to be read again. They are up to date then.
    func takeOutdated() -> Set<Owner> {
        defer { outdated = [] }
        return outdated
    }

    /// Forgets all changes.
    func removeAll() {
        forgetWritten()
        outdated = []
    }

    /// Forgets the changes in the stores at these positions, which were saved.
    func settle(savedAt positions: [Int]) {
        written = written.filter { !positions.contains($0.key.place.store) }
        shown = shown.filter { !positions.contains($0.place.store) }
        failures = [:]
        formerTargets = formerTargets.filter { !positions.contains($0.key.home.store) }
    }
}
