/// Where a stream of rows stands in its store.
public protocol StoreCursor: AnyObject {
    /// The values of the next row, in the order of the query's columns; nil after the last one.
    func next() throws -> [AttributeValue]?
}
