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

    /// Returns a stream of the values of two properties.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let rows = try rowStream(
            request, of: [first.column, second.column], beside: other)
        return TypedRowStream(rows) {
            (
                try first.value(in: $0, at: 0),
                try second.value(in: $0, at: 1)
            )
        }
    }

    /// Returns a stream of the values of three properties.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second, Third)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let third = TypedColumn.key(third)
        let rows = try rowStream(
            request, of: [first.column, second.column, third.column], beside: other)
        return TypedRowStream(rows) {
            (
                try first.value(in: $0, at: 0),
                try second.value(in: $0, at: 1),
                try third.value(in: $0, at: 2)
            )
        }
    }

    /// Returns a stream of the values of four properties.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second, Third, Fourth)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let third = TypedColumn.key(third)
        let fourth = TypedColumn.key(fourth)
        let rows = try rowStream(
            request, of: [first.column, second.column, third.column, fourth.column], beside: other)
        return TypedRowStream(rows) {
            (
                try first.value(in: $0, at: 0),
                try second.value(in: $0, at: 1),
                try third.value(in: $0, at: 2),
                try fourth.value(in: $0, at: 3)
            )
        }
    }

    /// Returns a stream of the values of five properties.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second, Third, Fourth, Fifth)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let third = TypedColumn.key(third)
        let fourth = TypedColumn.key(fourth)
        let fifth = TypedColumn.key(fifth)
        let rows = try rowStream(
            request, of: [first.column, second.column, third.column, fourth.column, fifth.column],
            beside: other)
        return TypedRowStream(rows) {
            (
                try first.value(in: $0, at: 0),
                try second.value(in: $0, at: 1),
                try third.value(in: $0, at: 2),
                try fourth.value(in: $0, at: 3),
                try fifth.value(in: $0, at: 4)
            )
        }
    }

    /// Returns a stream of the values of six properties.
    @inlinable
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible,
        Sixth: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        _ sixth: KeyPath<Object, Sixth>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second, Third, Fourth, Fifth, Sixth)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let third = TypedColumn.key(third)
        let fourth = TypedColumn.key(fourth)
        let fifth = TypedColumn.key(fifth)
        let sixth = TypedColumn.key(sixth)
        let rows = try rowStream(
            request,
            of: [first.column, second.column, third.column, fourth.column, fifth.column, sixth.column],
            beside: other)
        return TypedRowStream(rows) {
            (
                try first.value(in: $0, at: 0),
                try second.value(in: $0, at: 1),
                try third.value(in: $0, at: 2),
                try fourth.value(in: $0, at: 3),
                try fifth.value(in: $0, at: 4),
                try sixth.value(in: $0, at: 5)
            )
        }
    }

    /// Returns a stream of the values of seven or more properties.
    ///
    /// It takes longer for each row than the methods for up to six properties.
    public func stream<
        Object: ManagedObject,
        First: AttributeValueConvertible,
        Second: AttributeValueConvertible,
        Third: AttributeValueConvertible,
        Fourth: AttributeValueConvertible,
        Fifth: AttributeValueConvertible,
        Sixth: AttributeValueConvertible,
        Seventh: AttributeValueConvertible,
        each Rest: AttributeValueConvertible
    >(
        _ request: FetchRequest<Object>,
        of first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>,
        _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>,
        _ fifth: KeyPath<Object, Fifth>,
        _ sixth: KeyPath<Object, Sixth>,
        _ seventh: KeyPath<Object, Seventh>,
        _ rest: repeat KeyPath<Object, each Rest>,
        beside other: RowStream? = nil
    ) throws -> TypedRowStream<(First, Second, Third, Fourth, Fifth, Sixth, Seventh, repeat each Rest)> {
        let first = TypedColumn.key(first)
        let second = TypedColumn.key(second)
        let third = TypedColumn.key(third)
        let fourth = TypedColumn.key(fourth)
        let fifth = TypedColumn.key(fifth)
        let sixth = TypedColumn.key(sixth)
        let seventh = TypedColumn.key(seventh)
        let others = (repeat TypedColumn.key(each rest))
        var columns = [
            first.column, second.column, third.column, fourth.column, fifth.column, sixth.column,
            seventh.column,
        ]
        for column in repeat each others { columns.append(column.column) }
        return TypedRowStream(try rowStream(request, of: columns, beside: other)) { row in
            var position = 6
            return (
                try first.value(in: row, at: 0),
                try second.value(in: row, at: 1),
                try third.value(in: row, at: 2),
                try fourth.value(in: row, at: 3),
                try fifth.value(in: row, at: 4),
                try sixth.value(in: row, at: 5),
                try seventh.value(in: row, at: 6),
                repeat try (each others).next(in: row, after: &position)
            )
        }
    }
}
