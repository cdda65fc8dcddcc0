public import CivilTime

/// A cursor over the rows of a query.
public protocol StoreCursor: AnyObject {
    /// Returns the values of the next row, in the order of the query's columns, or `nil` after the last row.
    func next() throws -> [AttributeValue]?

    /// Returns the next row without copying it, or `nil` after the last row. The row is valid until the next call.
    func nextInPlace() throws -> (any StoreRow)?

    /// A function that interrupts a `next` that takes too long. That call and all later ones throw. Any queue can call it,
    /// also after the cursor was released.
    var interruption: @Sendable () -> Void { get }
}

extension StoreCursor {
    public func nextInPlace() throws -> (any StoreRow)? {
        try next().map { RowOfValues(values: $0) }
    }

    /// A function that does nothing, because rows that are all in memory need no interruption.
    public var interruption: @Sendable () -> Void { {} }
}

/// A row of a store, without a copy of its values. It is valid until the store reads the next row.
public protocol StoreRow {
    /// Returns the value in a column of the query.
    func value(at column: Int) -> AttributeValue

    /// Returns the value of an integer, or 0 or 1 for a Boolean, or `nil` if the column has neither.
    func integer(at column: Int) -> Int64?

    /// Returns the value of a date, or `nil` if the column has none.
    func date(at column: Int) -> Timestamp?

    /// Calls `body` with the bytes of a text. Returns `false` if the column has no text.
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
