/// The rows of a fetch, read one after the other. Only one row is in memory at a time.
///
/// All rows show the state that was saved when the stream began, even if something is saved later. A stream has its own
/// connection to the store, so it can be sent to another queue or task. It cannot be shared: one queue uses it at a time.
public final class RowStream {
    /// The columns of each row.
    public let columns: [FetchColumn]
    let cursor: any StoreCursor

    init(columns: [FetchColumn], cursor: any StoreCursor) {
        self.columns = columns
        self.cursor = cursor
    }

    /// Returns the next row, or `nil` after the last one.
    public func next() throws -> FetchedRow? {
        try cursor.nextInPlace().map { FetchedRow(columns: columns, copying: $0) }
    }

    /// Returns the next row in place, without copying it. The row is valid until the next call.
    public func nextInPlace() throws -> (any StoreRow)? {
        try cursor.nextInPlace()
    }

    /// A function that interrupts a call of `next` that takes too long. That call then throws. Any queue can call the
    /// function, also after the stream was released.
    public var interruption: @Sendable () -> Void { cursor.interruption }
}

/// The objects of a fetch, read one after the other. See `ManagedObjectContext.stream(_:)`.
public final class ObjectStream<Object: ManagedObject> {
    private let context: ManagedObjectContext
    /// The registries of the stores that the rows come from, one for each store.
    private let registries: [ObjectRegistry]
    private let rows: MergedRows
    private let begin: Int

    init(context: ManagedObjectContext, registries: [ObjectRegistry], rows: MergedRows) {
        self.context = context
        self.registries = registries
        self.rows = rows
        begin = context.coordinator.history.saves
    }

    /// Returns the next object, or `nil` after the last one. Objects deleted since the stream began are skipped.
    public func next() throws -> Object? {
        while let (source, row) = try rows.nextRow() {
            guard case .integer(let id) = row[0] else { continue }
            if let object = try object(id: id, row: row, in: registries[source]) {
                return unsafeDowncast(object, to: Object.self)
            }
        }
        return nil
    }

    private func object(
        id: Int64, row: ArraySlice<AttributeValue>, in registry: ObjectRegistry
    ) throws -> ManagedObject? {
        // After a save the row may be out of date, so the context provides the current object.
        if registry.table[id] != nil || context.coordinator.history.saves != begin {
            return try context.object(id, in: registry)
        }
        return try context.make(id, .make(row.dropFirst()), in: registry)
    }
}
