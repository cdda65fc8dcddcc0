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
