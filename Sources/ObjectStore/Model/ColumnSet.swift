/// A set of columns of an entity. All columns from the 64th on share one bit, so the set contains all of them or
/// none.
struct ColumnSet: Hashable {
    private(set) var bits: UInt64 = 0

    static let none = ColumnSet()
    static let all = ColumnSet(bits: .max)

    var isEmpty: Bool { bits == 0 }

    func contains(_ column: Int) -> Bool {
        bits & 1 << UInt64(min(column, 63)) != 0
    }

    mutating func insert(_ column: Int) {
        bits |= 1 << UInt64(min(column, 63))
    }

    /// Removes a column, unless it is one of those that share a bit.
    mutating func remove(_ column: Int) {
        if column < 63 { bits &= ~(1 << UInt64(column)) }
    }

    /// Whether each bit in the set means exactly one column of an entity with `count` columns.
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
