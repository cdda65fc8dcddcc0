/// The changed pairs of many-to-many relationships in a context, which can be found by one of their ends.
struct ChangedPairs {
    /// One end of a pair.
    struct End: Hashable {
        /// The position of the store in the coordinator.
        let store: Int
        let link: Int
        /// Whether the object is the owner of the link.
        let isOwner: Bool
        let id: Int64
    }

    typealias Key = ManagedObjectContext.PairKey

    /// The pairs: `true` if the pair was added, `false` if it was removed.
    private(set) var all: [Key: Bool] = [:]
    /// The pairs by their ends, or `nil` if no search has needed them yet. Most contexts never search.
    private var keysByEnd: [End: Set<Key>]?

    var isEmpty: Bool { all.isEmpty }
    var keys: Dictionary<Key, Bool>.Keys { all.keys }

    subscript(key: Key) -> Bool? {
        get { all[key] }
        set {
            all[key] = newValue
            guard keysByEnd != nil else { return }
            if newValue == nil { removeFromEnds(key) } else { addToEnds(key) }
        }
    }

    /// Returns the pairs with this end.
    mutating func keys(of end: End) -> Set<Key> {
        if keysByEnd == nil {
            keysByEnd = [:]
            for key in all.keys { addToEnds(key) }
        }
        return keysByEnd?[end] ?? []
    }

    private mutating func addToEnds(_ key: Key) {
        for end in Self.ends(of: key) { keysByEnd?[end, default: []].insert(key) }
    }

    private mutating func removeFromEnds(_ key: Key) {
        if all.isEmpty { return keysByEnd = nil }
        for end in Self.ends(of: key) {
            keysByEnd?[end]?.remove(key)
            if keysByEnd?[end]?.isEmpty == true { keysByEnd?[end] = nil }
        }
    }

    private static func ends(of key: Key) -> [End] {
        [
            End(store: key.store, link: key.link, isOwner: true, id: key.ownerID),
            End(store: key.store, link: key.link, isOwner: false, id: key.otherID),
        ]
    }
}
