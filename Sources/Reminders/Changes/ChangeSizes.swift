internal import ObjectStore

/// How many bytes each change has of the objects that it is about.
struct ChangeSizes {
    private var sizes: [Int64: Int] = [:]
    /// Of all of them, and of some that are there no more.
    private(set) var total = 0

    /// Reads all changes, one after the other.
    init(_ context: ManagedObjectContext) throws {
        let rows = try context.stream(
            FetchRequest<Change>(), of: [.key("sequence"), .key("before"), .key("after")])
        while let row = try rows.next() {
            guard case .integer(let number) = row[0] else { continue }
            note(number, Self.size(String(attributeValue: row[1]), String(attributeValue: row[2])))
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
