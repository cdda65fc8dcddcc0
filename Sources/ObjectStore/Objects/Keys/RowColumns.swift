/// The columns of a fetch whose rows are read in place, each of them under a name of the program.
///
///     struct Columns {
///         private var columns = RowColumns<Book>()
///         let title, pages: …
///         init() {
///             title = columns.add(\.title)
///             pages = columns.add(\.pages)
///         }
///     }
///     try context.forEachRow(Book.all, of: columns.list) { print($0.value(of: columns.title) ?? "") }
public struct RowColumns<Object: ManagedObject>: Sendable {
    /// The columns, in the order in which they were added.
    public private(set) var list: [FetchColumn] = []

    /// Creates an empty list of columns.
    public init() {}

    /// Adds the column of a property, which may be at the end of to-one relationships. Returns its place in a row.
    public mutating func add<Value: AttributeValueConvertible>(
        _ key: KeyPath<Object, Value>
    ) -> RowColumn<Value.NonOptional> {
        list.append(.key(key))
        return RowColumn(position: list.count - 1)
    }

    /// Adds the column of the ID of a to-one relationship's object. Returns its place in a row.
    public mutating func add<Destination: ManagedObject>(
        idOf key: KeyPath<Object, Destination?>
    ) -> RowColumn<Int64> {
        list.append(.key(key))
        return RowColumn(position: list.count - 1)
    }
}

/// The place of a column in a row, with the type of its values.
public struct RowColumn<Value: AttributeValueConvertible>: Sendable {
    @usableFromInline let position: Int
}

extension StoreRow {
    /// Returns the value in a column, or `nil` if it is nil or its type in Swift cannot hold it.
    @inlinable
    public func value<Value>(of column: RowColumn<Value>) -> Value? {
        Value(attributeValue: value(at: column.position))
    }
}
