/// The sorted IDs at the other end of each to-many relationship of one object, as far as they are known.
final class RelatedIDs {
    private var known: [(epoch: Int, ids: [Int64])?]

    init(count: Int) {
        known = Array(repeating: nil, count: count)
    }

    /// Returns the IDs, or `nil` if they were not recorded in this epoch of the context.
    func ids(at position: Int, epoch: Int) -> [Int64]? {
        guard let known = known[position], known.epoch == epoch else { return nil }
        return known.ids
    }

    func record(_ ids: [Int64], at position: Int, epoch: Int) {
        known[position] = (epoch, ids)
    }

    /// Applies a change of the relationship to its IDs, if they are known.
    func change(_ id: Int64, at position: Int, isMember: Bool) {
        if isMember {
            known[position]?.ids.insert(sorted: id)
        } else {
            known[position]?.ids.remove(sorted: id)
        }
    }
}
