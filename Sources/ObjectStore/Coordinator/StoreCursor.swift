/// Where a stream of rows stands in its store.
public protocol StoreCursor: AnyObject {
    /// The values of the next row, in the order of the query's columns; nil after the last one.
    func next() throws -> [AttributeValue]?

    /// Ends a `next` that takes too long: it throws, and so does every one after it. Called from any queue.
    func interrupt()
}

extension StoreCursor {
    /// Rows that are all there need no interruption.
    public func interrupt() {}
}
