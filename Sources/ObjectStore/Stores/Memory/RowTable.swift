/// The rows of one entity, in ascending order of their IDs.
///
/// New IDs are larger than all earlier ones, so rows are usually appended. IDs are dense, so the place of a
/// row can usually be computed from its ID. A deleted row leaves an empty place. Empty places are removed
/// when they are more than half of all places.
struct RowTable {
    private static let fewestPlacesToClose = 64

    private var ids: [Int64] = []
    private var rows: [RowValues?] = []
    private(set) var count = 0

    var lastID: Int64? { ids.last }

    subscript(id: Int64) -> RowValues? {
        let place = place(of: id)
        return place < ids.count && ids[place] == id ? rows[place] : nil
    }

    func contains(_ id: Int64) -> Bool { self[id] != nil }

    /// Sets the row of an ID, or removes it if `row` is `nil`.
    ///
    /// - Returns: the old row, or `nil` if there was none.
    @discardableResult
    mutating func set(_ id: Int64, to row: RowValues?) -> RowValues? {
        let place = place(of: id)
        guard place < ids.count, ids[place] == id else {
            if let row {
                ids.insert(id, at: place)
                rows.insert(row, at: place)
                count += 1
            }
            return nil
        }
        let old = rows[place]
        rows[place] = row
        count += (row == nil ? 0 : 1) - (old == nil ? 0 : 1)
        if count < ids.count / 2 && ids.count > Self.fewestPlacesToClose { closeEmptyPlaces() }
        return old
    }

    /// Calls `body` for each row in ascending order of the IDs, until it returns false.
    func forEach(_ body: (Int64, RowValues) throws -> Bool) rethrows {
        for place in ids.indices {
            guard let row = rows[place] else { continue }
            guard try body(ids[place], row) else { return }
        }
    }

    /// Returns the place of the ID, or the place at which to insert it.
    private func place(of id: Int64) -> Int {
        guard let first = ids.first, let last = ids.last, id >= first else { return 0 }
        guard id <= last else { return ids.count }
        let guess = Int(truncatingIfNeeded: id &- first)
        if guess >= 0 && guess < ids.count && ids[guess] == id { return guess }
        var low = 0
        var high = ids.count
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func closeEmptyPlaces() {
        ids = ids.indices.compactMap { rows[$0] == nil ? nil : ids[$0] }
        rows = rows.filter { $0 != nil }
    }
}
