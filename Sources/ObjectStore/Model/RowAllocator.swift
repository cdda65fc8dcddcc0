/// Makes the rows of a fetch, several of them in one allocation.
///
/// To allocate and free each row by itself would be a considerable part of the cost of an object. This is most visible
/// when many objects are released: the fewer blocks there are, the less `free` has to join.
struct RowAllocator {
    /// The largest number of values in a shared allocation. A program that keeps one of the objects keeps the memory
    /// for all these values, which is less than 10 kB.
    static let valuesAtOnce = 400
    /// The largest number of values in a shared allocation of a fetch that has made 64 full ones. An object that is kept
    /// then keeps less than 40 kB, a sixteenth of the memory of the fetch at most.
    private static let valuesAtOnceOfManyRows = 1600

    private let columns: Int
    private var storage: RowStorage?
    private var rowsLeft = 0
    /// The number of rows in the next allocation. It grows, so that a fetch of few objects does not waste memory.
    private var nextCapacity: Int
    private var madeValues = 0

    /// - Parameters:
    ///   - columns: The number of values in each row.
    ///   - limit: The largest number of rows, if it is known.
    init(columns: Int, limit: Int? = nil) {
        self.columns = columns
        nextCapacity = max(1, min(limit ?? 8, 8, Self.valuesAtOnce / max(columns, 1)))
    }

    /// Makes a row. `fill` has to append a value for each column.
    @inline(__always)
    mutating func makeRow(
        _ fill: (inout OutputSpan<AttributeValue>) throws -> Void
    ) rethrows -> RowValues {
        if rowsLeft == 0 { allocate() }
        // `allocate` has made it.
        guard let storage else { preconditionFailure("a row has no storage") }
        let row = try storage.addRow(count: columns, fill)
        rowsLeft &-= 1
        return row
    }

    @inline(never)
    private mutating func allocate() {
        storage = .make(capacity: columns * nextCapacity, isShared: nextCapacity > 1)
        rowsLeft = nextCapacity
        madeValues += columns * nextCapacity
        let limit = madeValues < 64 * Self.valuesAtOnce ? Self.valuesAtOnce : Self.valuesAtOnceOfManyRows
        nextCapacity = max(1, min(nextCapacity * 4, limit / max(columns, 1)))
    }
}
