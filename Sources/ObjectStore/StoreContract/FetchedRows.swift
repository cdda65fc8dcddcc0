/// The rows of a fetch. Their values are in a few large arrays, and each access makes a view of one row.
public struct FetchedRows: RandomAccessCollection {
    private static let rowsPerChunk = 1024

    /// The columns of each row.
    public let columns: [FetchColumn]
    public private(set) var count = 0
    /// The full arrays. Adding rows never moves their values.
    private var chunks: [[AttributeValue]] = []
    private var lastChunk: [AttributeValue] = []

    /// Creates an empty collection of rows.
    public init(columns: [FetchColumn]) {
        self.columns = columns
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> FetchedRow {
        guard position >= 0, position < count else {
            fatalError("there is no row \(position); the fetch has \(count) rows")
        }
        let start = position % Self.rowsPerChunk * columns.count
        let chunk = chunk(of: position)
        return FetchedRow(columns: columns, values: chunk[start..<start + columns.count])
    }

    /// Returns one value without making a row.
    public subscript(row: Int, column: Int) -> AttributeValue {
        guard column >= 0, column < columns.count else { failColumn(column, of: columns.count) }
        return chunk(of: row)[row % Self.rowsPerChunk * columns.count + column]
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
        if count > 0, count.isMultiple(of: Self.rowsPerChunk), !lastChunk.isEmpty { beginChunk() }
        let start = lastChunk.count
        do {
            try lastChunk.append(addingCapacity: columns.count, initializingWith: fill)
        } catch {
            // The next row begins here.
            lastChunk.removeLast(lastChunk.count - start)
            throw error
        }
        let filled = lastChunk.count &- start
        guard filled == columns.count else { RowStorage.failFilling(filled, of: columns.count) }
        count += 1
    }

    @inline(never)
    private mutating func beginChunk() {
        chunks.append(lastChunk)
        lastChunk = []
        lastChunk.reserveCapacity(Self.rowsPerChunk * columns.count)
    }

    private func chunk(of row: Int) -> [AttributeValue] {
        let index = row / Self.rowsPerChunk
        return index < chunks.count ? chunks[index] : lastChunk
    }
}

/// One row of a fetch.
public struct FetchedRow: StoreRow {
    /// The columns of the row.
    public let columns: [FetchColumn]
    /// The values, in the order of the columns.
    public let values: ArraySlice<AttributeValue>

    init(columns: [FetchColumn], values: ArraySlice<AttributeValue>) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column, by its position.
    @inlinable
    public subscript(column: Int) -> AttributeValue {
        guard column >= 0, column < values.count else { failColumn(column, of: values.count) }
        return values[values.startIndex + column]
    }

    public func value(at column: Int) -> AttributeValue { self[column] }

    /// The value of the column, or `nil` if the fetch does not have this column.
    public subscript(column: FetchColumn) -> AttributeValue? {
        columns.firstIndex(of: column).map { self[$0] }
    }
}

// Not inlined, so that the access to a value stays short.
@inline(never)
@usableFromInline
func failColumn(_ column: Int, of count: Int) -> Never {
    fatalError("there is no column \(column); the row has \(count) columns")
}
