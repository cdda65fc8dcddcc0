/// The rows of a fetch. Their values are in a few large blocks of memory, and each access makes a view of one row.
public struct FetchedRows: RandomAccessCollection {
    private static let rowsPerChunk = 1024
    private static let firstCapacity = 4

    /// The columns of each row.
    public let columns: [FetchColumn]
    public private(set) var count = 0
    /// The full chunks. Adding rows never moves their values.
    private var chunks: [RowStorage] = []
    private var lastChunk: RowStorage
    /// The number of rows that the last chunk still has the capacity for.
    private var rowsLeft = firstCapacity

    /// Creates an empty collection of rows.
    public init(columns: [FetchColumn]) {
        self.columns = columns
        lastChunk = .make(capacity: columns.count * Self.firstCapacity, isShared: true)
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> FetchedRow {
        guard position >= 0, position < count else { failRow(position) }
        let (chunk, start) = place(of: position)
        return FetchedRow(columns: columns, storage: chunk, start: start)
    }

    /// Returns one value without making a row.
    public subscript(row: Int, column: Int) -> AttributeValue {
        guard row >= 0, row < count else { failRow(row) }
        guard column >= 0, column < columns.count else { failColumn(column, of: columns.count) }
        let (chunk, start) = place(of: row)
        return chunk.value(at: start + column)
    }

    /// Adds a row. `value` is called for each column, in order.
    public mutating func append(_ value: (Int) throws -> AttributeValue) rethrows {
        let positions = columns.indices
        try appendRow { row in
            for column in positions { row.append(try value(column)) }
        }
    }

    /// Adds a row. `fill` has to append a value for each column.
    @inline(__always)
    mutating func appendRow(_ fill: (inout OutputSpan<AttributeValue>) throws -> Void) rethrows {
        // A copy of these rows may have the same last chunk.
        if rowsLeft == 0 || !isKnownUniquelyReferenced(&lastChunk) { makeRoom() }
        try lastChunk.addValues(count: columns.count, fill)
        rowsLeft &-= 1
        count &+= 1
    }

    /// Makes a last chunk that no copy of these rows has, with room for at least one row.
    @inline(never)
    private mutating func makeRoom() {
        let rows = count - chunks.count * Self.rowsPerChunk
        guard rows < Self.rowsPerChunk else {
            chunks.append(lastChunk)
            lastChunk = .make(capacity: Self.rowsPerChunk * columns.count, isShared: true)
            rowsLeft = Self.rowsPerChunk
            return
        }
        let capacity = rowsLeft > 0 ? rows + rowsLeft : Swift.min(rows * 4, Self.rowsPerChunk)
        let new = RowStorage.make(capacity: capacity * columns.count, isShared: true)
        let isLast = isKnownUniquelyReferenced(&lastChunk)
        new.add(valuesOf: lastChunk, isLast: isLast)
        lastChunk = new
        rowsLeft = capacity - rows
    }

    /// Returns the chunk with a row, and the position of the row's first value in it.
    private func place(of row: Int) -> (chunk: RowStorage, start: Int) {
        let index = row / Self.rowsPerChunk
        return (index < chunks.count ? chunks[index] : lastChunk, row % Self.rowsPerChunk * columns.count)
    }

    // Not inlined, so that the access to a value stays short.
    @inline(never)
    private func failRow(_ row: Int) -> Never {
        fatalError("there is no row \(row); the fetch has \(count) rows")
    }
}

/// One row of a fetch.
public struct FetchedRow: StoreRow {
    /// The columns of the row.
    public let columns: [FetchColumn]
    private let storage: RowStorage
    /// The position of the first value in the storage.
    private let start: Int

    init(columns: [FetchColumn], storage: RowStorage, start: Int = 0) {
        self.columns = columns
        self.storage = storage
        self.start = start
    }

    /// Copies the values of another row.
    init(columns: [FetchColumn], copying row: any StoreRow) {
        self.columns = columns
        storage = .make(capacity: columns.count, isShared: false)
        start = 0
        storage.addValues(count: columns.count) { values in
            for column in columns.indices { values.append(row.value(at: column)) }
        }
    }

    /// The values, in the order of the columns.
    public var values: ArraySlice<AttributeValue> {
        columns.indices.map { storage.value(at: start + $0) }[...]
    }

    /// The value of a column, by its position.
    public subscript(column: Int) -> AttributeValue {
        guard column >= 0, column < columns.count else { failColumn(column, of: columns.count) }
        return storage.value(at: start + column)
    }

    public func value(at column: Int) -> AttributeValue { self[column] }

    /// The value of the column, or `nil` if the fetch does not have this column.
    public subscript(column: FetchColumn) -> AttributeValue? {
        columns.firstIndex(of: column).map { self[$0] }
    }
}

// Not inlined, so that the access to a value stays short.
@inline(never)
func failColumn(_ column: Int, of count: Int) -> Never {
    fatalError("there is no column \(column); the row has \(count) columns")
}
