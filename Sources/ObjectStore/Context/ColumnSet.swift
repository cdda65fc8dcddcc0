/// Some of the columns of an entity. From the 64th on they count as one: all of them or none.
struct ColumnSet: Hashable {
    private(set) var bits: UInt64 = 0

    static let none = ColumnSet()

    var isEmpty: Bool { bits == 0 }

    func contains(_ column: Int) -> Bool {
        bits & 1 << UInt64(min(column, 63)) != 0
    }

    mutating func insert(_ column: Int) {
        bits |= 1 << UInt64(min(column, 63))
    }

    /// Takes a column out, unless it counts as one with others.
    mutating func remove(_ column: Int) {
        if column < 63 { bits &= ~(1 << UInt64(column)) }
    }

    /// Whether it says of each of so many columns by itself whether it is in the set.
    func namesEach(of count: Int) -> Bool {
        count <= 64 || bits & 1 << 63 == 0
    }

    func intersects(_ other: ColumnSet) -> Bool {
        bits & other.bits != 0
    }

    mutating func formUnion(_ other: ColumnSet) {
        bits |= other.bits
    }
}
