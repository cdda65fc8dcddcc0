/// The rows of a fetch one after the other: only one is in memory, however many there are.
///
/// All of them are of the state that was saved when the stream began, whatever is saved meanwhile. A stream
/// has a connection to the store of its own, so it may be handed to another queue.
public final class RowStream {
    public let columns: [FetchColumn]
    let cursor: any StoreCursor

    init(columns: [FetchColumn], cursor: any StoreCursor) {
        self.columns = columns
        self.cursor = cursor
    }

    /// The next row; nil after the last one.
    public func next() throws -> FetchedRow? {
        try cursor.next().map { FetchedRow(columns: columns, values: $0[...]) }
    }

    /// The next row where it lies: it is good until the one after it is asked for, and costs no memory.
    public func nextInPlace() throws -> (any StoreRow)? {
        try cursor.nextInPlace()
    }

    /// Ends a `next` that takes too long, which throws then. It may be called from any queue.
    public func interrupt() {
        cursor.interrupt()
    }
}

/// The objects of a fetch one after the other; see `ManagedObjectContext.stream(_:)`.
public final class ObjectStream<Object: ManagedObject> {
    private let context: ManagedObjectContext
    /// One for each of the stores that the rows come from.
    private let registries: [ObjectRegistry]
    private let rows: MergedRows
    private let begin: Int

    init(context: ManagedObjectContext, registries: [ObjectRegistry], rows: MergedRows) {
        self.context = context
        self.registries = registries
        self.rows = rows
        begin = context.coordinator.history.saves
    }

    /// The next object; nil after the last one. One that was deleted since the stream began is left out.
    public func next() throws -> Object? {
        while let (source, row) = try rows.nextRow() {
            guard case .integer(let id) = row[0] else { continue }
            if let object = try object(id, row, registries[source]) {
                return unsafeDowncast(object, to: Object.self)
            }
        }
        return nil
    }

    private func object(
        _ id: Int64, _ row: ArraySlice<AttributeValue>, _ registry: ObjectRegistry
    ) throws -> ManagedObject? {
        // When something was saved since, the row may be old; a context has every object as it is now.
        if registry.table[id] != nil || context.coordinator.history.saves != begin {
            return try context.object(id, in: registry)
        }
        return context.make(id, .make(row.dropFirst()), in: registry)
    }
}
