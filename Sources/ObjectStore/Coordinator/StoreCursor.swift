public import CivilTime

/// Where a stream of rows stands in its store.
public protocol StoreCursor: AnyObject {
    /// The values of the next row, in the order of the query's columns; nil after the last one.
    func next() throws -> [AttributeValue]?

    /// The next row where it lies, for who wants it only until the one after it; nil after the last one.
    func nextInPlace() throws -> (any StoreRow)?

    /// Ends a `next` that takes too long: it throws, and so does every one after it. Called from any queue.
    func interrupt()
}

extension StoreCursor {
    public func nextInPlace() throws -> (any StoreRow)? {
        try next().map { RowOfValues(values: $0) }
    }

    /// Rows that are all there need no interruption.
    public func interrupt() {}
}

/// One row that a store reads, without a copy of it. It is good until the store goes on to the next one.
public protocol StoreRow {
    func value(at column: Int) -> AttributeValue

    /// The number of an integer, or 0 and 1 of a boolean; nil when the column has none.
    func integer(at column: Int) -> Int64?

    /// The moment of a date; nil when the column has none.
    func date(at column: Int) -> Timestamp?

    /// Shows the bytes of a text to `body`; false when the column has none.
    func readText(at column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool
}

extension StoreRow {
    public func integer(at column: Int) -> Int64? {
        switch value(at: column) {
        case .integer(let number): number
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }

    public func date(at column: Int) -> Timestamp? {
        if case .date(let moment) = value(at: column) { moment } else { nil }
    }

    public func readText(at column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        guard case .string(var text) = value(at: column) else { return false }
        text.withUTF8(body)
        return true
    }
}

private struct RowOfValues: StoreRow {
    let values: [AttributeValue]

    func value(at column: Int) -> AttributeValue { values[column] }
}
