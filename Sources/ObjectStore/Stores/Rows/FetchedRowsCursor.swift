/// A cursor over rows that are all there: for a store that has everything in memory anyway.
public final class FetchedRowsCursor: StoreCursor {
    private var rows: FetchedRows.Iterator

    public init(_ rows: FetchedRows) {
        self.rows = rows.makeIterator()
    }

    public func next() throws -> [AttributeValue]? {
        rows.next().map { Array($0.values) }
    }
}
