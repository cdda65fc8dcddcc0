internal import SQLiteDriver

extension SQLiteStore {
    public func apply(_ updates: StoreUpdates) throws {
        let columnCount = updates.entity.columns.count
        guard updates.changed.namesEach(of: columnCount) else { return try applyRowByRow(updates) }
        // The statement has the columns in the order of the entity.
        let offsets = updates.columns.indices.sorted { updates.columns[$0] < updates.columns[$1] }
        try translating {
            let statement = try entities[updates.entity.index].update(updates.changed, connection)
            for (row, id) in updates.ids.enumerated() {
                var parameter: Int32 = 1
                for offset in offsets {
                    statement.bind(updates.value(row: row, offset: offset), at: parameter)
                    parameter &+= 1
                }
                try update(id, of: updates.entity, statement: statement, idParameter: parameter)
            }
        }
    }

    /// Runs a statement that changes one row, after binding its ID. All other parameters are bound already.
    ///
    /// - Throws: a `StoreError` if the row does not exist.
    func update(_ id: Int64, of entity: Entity, statement: SQLiteStatement, idParameter: Int32) throws {
        statement.bind(id, at: idParameter)
        try statement.run()
        guard connection.changedRows > 0 else {
            throw StoreError(
                .other, "\(ObjectID(entity: entity.name, id: id)) is no longer in the store; refresh it",
                path: path)
        }
    }
}
