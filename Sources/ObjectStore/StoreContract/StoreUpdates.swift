/// New values for some columns of many objects of one entity. Each object has its own values.
public struct StoreUpdates {
    /// The entity of the objects.
    public let entity: Entity
    /// The positions of the columns, without duplicates.
    public let columns: [Int]
    /// The IDs of the objects.
    public let ids: [Int64]
    /// The values of all objects, one object after the other, in the order of `columns`.
    public let values: [AttributeValue]

    /// The columns as a set.
    let changed: ColumnSet

    init(of entity: Entity, setting columns: [Int], ids: [Int64], values: [AttributeValue]) {
        self.entity = entity
        self.columns = columns
        self.ids = ids
        self.values = values
        var changed = ColumnSet.none
        for column in columns { changed.insert(column) }
        self.changed = changed
    }

    /// Returns a new value: `row` is a position in `ids`, and `offset` one in `columns`.
    public func value(row: Int, offset: Int) -> AttributeValue {
        values[row * columns.count + offset]
    }
}

extension PersistentStore {
    /// The number of rows in memory at once.
    private static var rowsAtOnce: Int { 512 }

    /// Implements `apply(_: StoreUpdates)` for stores without an implementation of their own.
    func applyRowByRow(_ updates: StoreUpdates) throws {
        for start in stride(from: 0, to: updates.ids.count, by: Self.rowsAtOnce) {
            var changes = StoreChanges()
            for row in start..<min(start + Self.rowsAtOnce, updates.ids.count) {
                changes.rows.append(try change(row, updates))
            }
            try apply(changes)
        }
    }

    private func change(_ row: Int, _ updates: StoreUpdates) throws -> StoreChanges.Row {
        let entity = updates.entity
        let id = updates.ids[row]
        let values: RowValues
        if updates.changed.namesEach(of: entity.columns.count) {
            values = .make(count: entity.columns.count) { values in
                for _ in entity.columns { values.append(.null) }
            }
        } else {
            // The set contains other columns, too, so they need their current values.
            guard let present = try self.row(id, of: entity) else {
                throw StoreError(
                    .other, "\(ObjectID(entity: entity.name, id: id)) is no longer in the store")
            }
            values = present.copy()
        }
        for (offset, column) in updates.columns.enumerated() {
            values[column] = updates.value(row: row, offset: offset)
        }
        return .init(kind: .update, entity: entity, id: id, values: values, columns: updates.changed)
    }
}
