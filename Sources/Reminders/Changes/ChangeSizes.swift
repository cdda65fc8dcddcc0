internal import ObjectStore

/// The sizes in bytes of the objects in each stored change.
struct ChangeSizes {
    private var sizes: [Int64: Int] = [:]
    /// The sum of the sizes, which may include changes that no longer exist.
    private(set) var total = 0

    /// Reads the sizes of all changes.
    ///
    /// It measures the texts in place, one change after another, because each may be long.
    init(_ context: ManagedObjectContext) throws {
        let columns: [FetchColumn] = [.key(\Change.sequence), .key(\Change.before), .key(\Change.after)]
        try context.forEachRow(Change.all, of: columns) { row in
            guard let number = row.integer(at: 0) else { return }
            var size = 0
            for column in 1...2 { _ = row.readText(at: column) { size += $0.count } }
            record(number, size)
        }
    }

    static func size(before: String?, after: String?) -> Int {
        (before?.utf8.count ?? 0) + (after?.utf8.count ?? 0)
    }

    /// Records the size of a change.
    ///
    /// It replaces that of a change with the same number that was undone or never saved.
    mutating func record(_ number: Int64, _ size: Int) {
        total += size - (sizes.updateValue(size, forKey: number) ?? 0)
    }

    /// Returns the number of the oldest change that fits into `limit` bytes with all later ones.
    func firstKept(upTo last: Int64, bytes limit: Int) -> Int64 {
        var first = last
        var bytes = 0
        for (number, size) in sizes.sorted(by: { $0.key > $1.key }) where number <= last {
            bytes += size
            if bytes > limit { break }
            first = number
        }
        return first
    }

    /// Removes all changes except those with these numbers.
    mutating func keep(_ numbers: ClosedRange<Int64>) {
        sizes = sizes.filter { numbers.contains($0.key) }
        total = sizes.values.reduce(0, +)
    }
}
