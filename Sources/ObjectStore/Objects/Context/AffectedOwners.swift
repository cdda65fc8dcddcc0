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
    private(set) var searches: [Search: Set<Int64>] = [:]

    var isEmpty: Bool { owners.isEmpty && searches.isEmpty }

    mutating func insert(_ id: Int64, at place: Place) { owners[place, default: []].insert(id) }

    mutating func insert(_ ids: [Int64], at place: Place) { owners[place, default: []].formUnion(ids) }

    mutating func search(from ids: [Int64], by search: Search) {
        searches[search, default: []].formUnion(ids)
    }

    /// Removes the objects of some entities, and returns them.
    ///
    /// - Parameter entity: Returns the position of the entity of the objects that a search finds.
    mutating func remove(of entities: Set<Int>, entityFoundBy entity: (Search) -> Int) -> AffectedOwners {
        var removed = AffectedOwners()
        for place in owners.keys.filter({ entities.contains($0.entity) }) {
            removed.owners[place] = owners.removeValue(forKey: place)
        }
        for search in searches.keys.filter({ entities.contains(entity($0)) }) {
            removed.searches[search] = searches.removeValue(forKey: search)
        }
        return removed
    }
}
