/// A cursor over rows that have all been fetched already, for a store that has its objects in memory.
public final class FetchedRowsCursor: StoreCursor {
    private var rows: FetchedRows.Iterator

    /// Creates a cursor at the first of the rows.
    public init(_ rows: FetchedRows) {
        self.rows = rows.makeIterator()
    }

    public func next() throws -> [AttributeValue]? {
        rows.next().map { Array($0.values) }
    }
}
