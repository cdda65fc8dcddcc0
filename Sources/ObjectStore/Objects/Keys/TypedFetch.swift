/// A fetch of rows that is prepared once and can run many times, with the types of its columns.
///
///     let late = try context.prepare(Book.where { $0.published < .variable("year") }, of: \.id, \.title)
///     for (id, title) in try context.rows(late, with: ["year": moment]) { … }
public struct TypedFetch<Row> {
    /// The fetch without the types.
    public let fetch: PreparedFetch
    let read: (any StoreRow) throws -> Row

    @usableFromInline
    init(_ fetch: PreparedFetch, _ read: @escaping (any StoreRow) throws -> Row) {
        self.fetch = fetch
        self.read = read
    }
}

extension ManagedObjectContext {
    /// Prepares a fetch of the values of some properties, to run it many times.
    @inlinable
    public func prepare<Object: ManagedObject, each Value: AttributeValueConvertible>(
        _ request: FetchRequest<Object>, of keys: repeat KeyPath<Object, each Value>
    ) throws -> TypedFetch<(repeat each Value)> {
        let typed = (repeat TypedColumn.key(each keys))
        var columns: [FetchColumn] = []
        for column in repeat each typed { columns.append(column.column) }
        return TypedFetch(try prepare(request, of: columns)) { row in
            var position = -1
            return (repeat try (each typed).next(in: row, after: &position))
        }
    }

    /// Returns the rows of a prepared fetch, including unsaved changes.
    ///
    /// - Parameters:
    ///   - fetch: The prepared fetch.
    ///   - values: The values of its variables. The method throws if a variable has no value.
    public func rows<Row>(
        _ fetch: TypedFetch<Row>, with values: [String: any AttributeValueConvertible] = [:]
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(fetch.fetch, with: values.mapValues(\.attributeValue)) {
            rows.append(try fetch.read($0))
        }
        return rows
    }

    /// Returns the rows of a prepared fetch, with values such as `["limit": 300]` for its variables.
    public func rows(
        _ fetch: PreparedFetch, with values: [String: any AttributeValueConvertible]
    ) throws -> FetchedRows {
        try rows(fetch, with: values.mapValues(\.attributeValue))
    }

    /// Calls `body` with each row in place, with values such as `["limit": 300]` for the variables of the fetch.
    public func forEachRow(
        _ fetch: PreparedFetch, with values: [String: any AttributeValueConvertible],
        _ body: (any StoreRow) throws -> Void
    ) throws {
        try forEachRow(fetch, with: values.mapValues(\.attributeValue), body)
    }
}
