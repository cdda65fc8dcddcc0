internal import ObjectStore
internal import PostgreSQLDriver

/// The rows of a store, as one connection sees them.
///
/// Each row has the values of the entity's columns, and after them the version of the row.
final class RowReader: NarrowingRowSource {
    let connection: PostgreSQLConnection
    let layout: Layout
    let statements: StatementCache

    init(_ connection: PostgreSQLConnection, _ layout: Layout) {
        self.connection = connection
        self.layout = layout
        statements = StatementCache(connection)
    }

    /// Returns the values of a row with the columns of `TableLayout.selection`.
    ///
    /// - Throws: A `StoreError` if a value is one that the model does not allow. Another program wrote such a row.
    private func values(_ row: PostgreSQLRow, _ table: TableLayout) throws -> RowValues {
        let types = table.entity.columnTypes
        let values = RowValues.make(count: types.count + 1) { values in
            for (column, type) in types.enumerated() { values.append(row.value(column + 2, type)) }
            values.append(.integer(row.integer(1)))
        }
        for (column, description) in table.entity.columns.enumerated() where values[column].isNull {
            if description.isOptional && row.isNull(column + 2) { continue }
            let object = ObjectID(entity: table.entity.name, id: row.integer(0))
            let name = "\(object).\(description.name)"
            throw StoreError(
                .damaged, "\(name) has a value that the model does not allow; correct it or",
                restoring: "a backup")
        }
        return values
    }

    func row(_ id: Int64, of entity: Entity) throws -> RowValues? {
        let table = layout.table(of: entity)
        var parameters = PostgreSQLParameters()
        parameters.append(id)
        let found = try statements.run(
            "SELECT \(table.selection) FROM \(table.name) WHERE \"id\" = $1", parameters)
        return found.count == 0 ? nil : try values(found[0], table)
    }

    func forEachRow(of entity: Entity, _ body: (Int64, RowValues) throws -> Bool) throws {
        try forEachRow(SelectTranslator(StoreRequest(entity: entity), layout).candidates(), of: entity, body)
    }

    func forEachCandidate(
        of predicate: ResolvedPredicate, _ body: (Int64, RowValues) throws -> Bool
    ) throws {
        try forEachRow(SelectTranslator(predicate, layout).candidates(), of: predicate.entity, body)
    }

    /// Calls `body` for each row of a statement, until it returns false.
    ///
    /// - Parameter limit: The number of rows at most, if it is known. A few rows need no cursor.
    func forEachRow(
        _ statement: SelectTranslator.Statement, of entity: Entity, limit: Int? = nil,
        _ body: (Int64, RowValues) throws -> Bool
    ) throws {
        let table = layout.table(of: entity)
        try forEach(statement, limit: limit) { row in try body(row.integer(0), values(row, table)) }
    }

    /// Calls `body` with each row of a statement, until it returns false.
    func forEach(
        _ statement: SelectTranslator.Statement, limit: Int? = nil,
        _ body: (PostgreSQLRow) throws -> Bool
    ) throws {
        if let limit, limit <= Self.rowsWithoutCursor {
            for row in try run(statement).rows { guard try body(row) else { return } }
            return
        }
        let cursor = try cursor(statement.sql, statement.bindings.parameters)
        defer { cursor.close() }
        while let row = try cursor.next() { guard try body(row) else { return } }
    }

    /// Returns all rows of a statement at once.
    func run(_ statement: SelectTranslator.Statement) throws(PostgreSQLError) -> PostgreSQLResult {
        try statements.run(statement.sql, statement.bindings.parameters)
    }

    private static let rowsWithoutCursor = 1024

    /// Opens a cursor. It outlives a transaction that begins or ends while it is read.
    private func cursor(
        _ sql: String, _ parameters: PostgreSQLParameters = PostgreSQLParameters()
    ) throws(PostgreSQLError) -> PostgreSQLCursor {
        try PostgreSQLCursor(on: connection, isHeld: !connection.isInTransaction, sql, parameters)
    }

    func ids(
        of entity: Entity, at column: Int, equal value: AttributeValue, options: StringOptions
    ) throws -> [Int64]? {
        let table = layout.table(of: entity)
        let stored: TableLayout.Column
        if options.isEmpty {
            stored = table.columns[column]
        } else {
            guard let folded = table.foldedColumn(of: column, options) else { return nil }
            stored = folded
        }
        guard let wanted = ColumnValue(value.folded(options), stored.type) else { return nil }
        if case .null = wanted { return nil }
        var parameters = PostgreSQLParameters()
        try parameters.append(wanted, stored.type)
        return ids(
            try statements.run(
                "SELECT \"id\" FROM \(table.name) WHERE \(stored.name) = $1 ORDER BY \"id\"", parameters))
    }

    func ids(of entity: Entity, at columns: [Int], equal values: [AttributeValue]) throws -> [Int64]? {
        let table = layout.table(of: entity)
        var parameters = PostgreSQLParameters()
        var conditions: [String] = []
        for (column, value) in zip(columns, values) {
            let stored = table.columns[column]
            guard let wanted = ColumnValue(value, stored.type) else { return nil }
            if case .null = wanted { return nil }
            try parameters.append(wanted, stored.type)
            conditions.append("\(stored.name) = $\(parameters.count)")
        }
        let condition = conditions.joined(separator: " AND ")
        return ids(
            try statements.run(
                "SELECT \"id\" FROM \(table.name) WHERE \(condition) ORDER BY \"id\"", parameters))
    }

    func ids(_ result: PostgreSQLResult) -> [Int64] {
        result.rows.map { $0.integer(0) }
    }

    func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64] {
        let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
        var parameters = PostgreSQLParameters()
        parameters.append(id)
        return ids(
            try statements.run(
                "SELECT \"\(far)\" FROM \(layout.links[link.index].name) WHERE \"\(near)\" = $1 ORDER BY 1",
                parameters))
    }

    /// Calls `body` with each pair that contains one of these objects: the object and the ID at the other end.
    func forEachPair(_ link: Entity.Link, of ids: [Int64], _ body: (Int64, Int64) -> Void) throws {
        let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
        var parameters = PostgreSQLParameters()
        parameters.append(ids)
        let cursor = try cursor(
            "SELECT \"\(near)\", \"\(far)\" FROM \(layout.links[link.index].name) "
                + "WHERE \"\(near)\" = ANY ($1) ORDER BY 1, 2", parameters)
        defer { cursor.close() }
        while let row = try cursor.next() { body(row.integer(0), row.integer(1)) }
    }
}

extension RowValues {
    /// The row without its version.
    var withoutVersion: RowValues {
        RowValues.make(count: count - 1) { row in
            for column in 0..<count - 1 { row.append(self[column]) }
        }
    }

    /// The version of a row of a `RowReader`.
    var version: Int64 {
        if case .integer(let version) = self[count - 1] { version } else { 0 }
    }
}
