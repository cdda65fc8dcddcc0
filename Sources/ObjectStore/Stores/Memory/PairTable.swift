/// The pairs of one many-to-many relationship, indexed by both ends.
package struct PairTable {
    private var others: [Int64: IDSet] = [:]
    private var owners: [Int64: IDSet] = [:]

    func contains(owner: Int64, other: Int64) -> Bool {
        others[owner]?.contains(other) ?? false
    }

    mutating func insert(owner: Int64, other: Int64) {
        others[owner, default: IDSet()].insert(other)
        owners[other, default: IDSet()].insert(owner)
    }

    mutating func remove(owner: Int64, other: Int64) {
        Self.remove(other, of: owner, &others)
        Self.remove(owner, of: other, &owners)
    }

    /// Returns the IDs at the other end of the relationship from `id`, sorted.
    package func ids(of id: Int64, isOwner: Bool) -> [Int64] {
        ((isOwner ? others : owners)[id]?.ids ?? []).sorted()
    }

    func count(of id: Int64, isOwner: Bool) -> Int {
        (isOwner ? others : owners)[id]?.count ?? 0
    }

    /// The IDs of the owners that have at least one pair, sorted.
    package var ownerIDs: [Int64] { others.keys.sorted() }

    private static func remove(_ id: Int64, of key: Int64, _ sets: inout [Int64: IDSet]) {
        guard let place = sets.index(forKey: key) else { return }
        sets.values[place].remove(id)
        if sets.values[place].isEmpty { sets.remove(at: place) }
    }
}
