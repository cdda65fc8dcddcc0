/// The rows of a typed stream, read one after the other. Only one row is in memory at a time.
///
///     let rows = try context.stream(Book.all, of: \.title, \.pages)
///     while let (title, pages) = try rows.next() { … }
public final class TypedRowStream<Row> {
    /// The rows without the types. Use it as `beside:` for another stream of the same state.
    public let rows: RowStream
    private let read: (any StoreRow) throws -> Row

    @usableFromInline
    init(_ rows: RowStream, _ read: @escaping (any StoreRow) throws -> Row) {
        self.rows = rows
        self.read = read
    }

    /// Returns the values of the next row, or `nil` after the last one.
    public func next() throws -> Row? {
        guard let row = try rows.nextInPlace() else { return nil }
        return try read(row)
    }

    /// A function that interrupts a call of `next` that takes too long. That call then throws. Any queue can call the
    /// function, also after the stream was released.
    public var interruption: @Sendable () -> Void { rows.interruption }
}

extension ManagedObjectContext {
    /// Returns a stream of the values of one property.
    ///
    /// All rows show the state that was saved when the stream began.
    ///
    /// - Parameters:
    ///   - request: The objects of the rows.
    ///   - first: The property.
    ///   - other: A stream of the state that the new stream is to read; see the stream of untyped columns.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<First> {
        let first = TypedColumn.key(first)
        let rows = try rowStream(
            request, of: [first.column], beside: other)
        return TypedRowStream(rows) { try first.value(in: $0, at: 0) }
    }

    /// Returns a stream of the values of several properties.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ rest: repeat KeyPath<Object, each Rest>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second, repeat each Rest)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let others = (repeat TypedColumn.key(each rest))
        var columns = [first.column, second.column]
        for column in repeat each others { columns.append(column.column) }
        return TypedRowStream(try rowStream(request, of: columns, beside: other)) { row in
            var position = 1
            return (
                try first.value(in: row, at: 0),
                try second.value(in: row, at: 1),
                repeat try (each others).next(in: row, after: &position)
            )
        }
    }
}
