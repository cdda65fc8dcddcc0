internal import ObjectStore

/// How many bytes each change has of the objects that it is about.
struct ChangeSizes {
    private var sizes: [Int64: Int] = [:]
    /// Of all of them, and of some that are there no more.
    private(set) var total = 0

    /// Looks at all changes, one after the other, where they lie: each may be long.
    init(_ context: ManagedObjectContext) throws {
        let columns: [FetchColumn] = [.key("sequence"), .key("before"), .key("after")]
        try context.forEachRow(FetchRequest<Change>(), of: columns) { row in
            guard let number = row.integer(at: 0) else { return }
            var size = 0
            for column in 1...2 { _ = row.readText(at: column) { size += $0.count } }
            note(number, size)
        }
    }

    static func size(_ before: String?, _ after: String?) -> Int {
        (before?.utf8.count ?? 0) + (after?.utf8.count ?? 0)
    }

    /// The change with that number; it takes the place of one that was never saved, or was undone.
    mutating func note(_ number: Int64, _ size: Int) {
        total += size - (sizes.updateValue(size, forKey: number) ?? 0)
    }

    /// The number of the oldest change that can be kept.
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

    /// Forgets all changes but those with these numbers.
    mutating func keep(_ numbers: ClosedRange<Int64>) {
        sizes = sizes.filter { numbers.contains($0.key) }
        total = sizes.values.reduce(0, +)
    }
}
