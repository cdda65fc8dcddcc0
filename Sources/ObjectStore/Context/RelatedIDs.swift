/// The ids at the far end of each to-many relationship of one object, sorted, as far as they are known.
final class RelatedIDs {
    private var known: [(epoch: Int, ids: [Int64])?]

    init(count: Int) {
        known = Array(repeating: nil, count: count)
    }

    /// The ids, when they were noted in the same epoch of the context.
    func ids(at position: Int, epoch: Int) -> [Int64]? {
        guard let known = known[position], known.epoch == epoch else { return nil }
        return known.ids
    }

    func note(_ ids: [Int64], at position: Int, epoch: Int) {
        known[position] = (epoch, ids)
    }

    /// Follows a change of the relationship, when it is known.
    func change(_ id: Int64, at position: Int, isMember: Bool) {
        if isMember {
            known[position]?.ids.insert(sorted: id)
        } else {
            known[position]?.ids.remove(sorted: id)
        }
    }
}
