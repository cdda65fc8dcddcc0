/// The rows of a fetch: all their values in one block, looked at row by row.
public struct FetchedRows: RandomAccessCollection {
    public let columns: [FetchColumn]
    public private(set) var count = 0
    private var values: [AttributeValue] = []

    public init(columns: [FetchColumn]) {
        self.columns = columns
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public subscript(position: Int) -> FetchedRow {
        precondition(position >= 0 && position < count, "there is no such row")
        let start = position * columns.count
        return FetchedRow(columns: columns, values: values[start..<start + columns.count])
    }

    /// One value, without making a row of it.
    public subscript(row: Int, column: Int) -> AttributeValue {
        values[row * columns.count + column]
    }

    /// Adds a row: `value` is called for each column in order.
    public mutating func append(_ value: (Int) throws -> AttributeValue) rethrows {
        for column in columns.indices { values.append(try value(column)) }
        count += 1
    }
}

/// One row of a fetch.
public struct FetchedRow {
    public let columns: [FetchColumn]
    public let values: ArraySlice<AttributeValue>

    init(columns: [FetchColumn], values: ArraySlice<AttributeValue>) {
        self.columns = columns
        self.values = values
    }

    public subscript(column: Int) -> AttributeValue {
        values[values.startIndex + column]
    }

    /// The value of the column; nil when the fetch did not ask for it.
    public subscript(column: FetchColumn) -> AttributeValue? {
        columns.firstIndex(of: column).map { self[$0] }
    }
}
