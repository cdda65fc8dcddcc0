internal import ObjectStore
internal import PostgreSQLDriver

/// The rows of a store, as one connection sees them.
///
/// Each row has the values of the entity's columns, and after them the version of the row.
final class RowReader: NarrowingRowSource {
    let connection: PostgreSQLConnection
    let layout: Layout
    let statements: StatementCache
    /// The statements of prepared fetches by their numbers, or `nil` if a fetch has none.
    private var prepared = RecentlyUsed<Int, PreparedStatement?>(capacity: preparedFetches)
    /// The statements that found more rows the last time than are read without a cursor.
    private var large = RecentlyUsed<String, Bool>(capacity: largeStatements)
    /// The open cursors in a transaction that was begun for them.
    private var cursors: [PostgreSQLCursor] = []
    /// Whether a transaction was begun for the cursors.
    private var hasTransaction = false

    private static let preparedFetches = 64
    private static let largeStatements = 128
    /// The number of rows that are read without a cursor.
    private static let rowsWithoutCursor = 1024

    init(_ connection: PostgreSQLConnection, _ layout: Layout) {
        self.connection = connection
        self.layout = layout
        statements = StatementCache(connection)
    }

    /// Returns the values of a row with the columns of `TableLayout.selection`.
    ///
    /// - Parameter hasVersion: Whether the version follows the values.
    /// - Throws: A `StoreError` if a value is one that the model does not allow. Another program wrote such a row.
    func values(_ row: PostgreSQLRow, _ table: TableLayout, hasVersion: Bool = true) throws -> RowValues {
        let types = table.entity.columnTypes
        var mayBeWrong = false
        let values = RowValues.make(count: types.count + (hasVersion ? 1 : 0)) { values in
            for column in types.indices {
                let value = row.value(column + 2, types[column])
                if value.isNull { mayBeWrong = true }
                values.append(value)
            }
            if hasVersion { values.append(.integer(row.integer(1))) }
        }
        if mayBeWrong { try check(values, of: row, table) }
        return values
    }

    /// Throws if the database has a value, or no value, where the model does not allow it.
    private func check(_ values: RowValues, of row: PostgreSQLRow, _ table: TableLayout) throws {
        for (column, description) in table.entity.columns.enumerated() where values[column].isNull {
            if description.isOptional && row.isNull(column + 2) { continue }
            let object = ObjectID(entity: table.entity.name, id: row.integer(0))
            let name = "\(object).\(description.name)"
            throw StoreError(
                .damaged, "\(name) has a value that the model does not allow; correct it or",
                restoring: "a backup")
        }
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
    ///
    /// - Parameter limit: The number of rows at most, if it is known.
    func forEach(
        _ statement: SelectTranslator.Statement, limit: Int? = nil,
        _ body: (PostgreSQLRow) throws -> Bool
    ) throws {
        try forEach(statement.sql, statement.bindings.parameters, limit: limit, body)
    }

    private func forEach(
        _ sql: String, _ parameters: PostgreSQLParameters, limit: Int?, _ body: (PostgreSQLRow) throws -> Bool
    ) throws {
        if let limit, limit <= Self.rowsWithoutCursor {
            for row in try statements.run(sql, parameters).rows { guard try body(row) else { return } }
            return
        }
        // Most statements find a few rows, for which a prepared statement is faster than a cursor.
        if limit == nil, large[sql] == nil {
            let found = try statements.run("\(sql) LIMIT \(Self.rowsWithoutCursor + 1)", parameters)
            if found.count <= Self.rowsWithoutCursor {
                for row in found.rows { guard try body(row) else { return } }
                return
            }
            large.insert(true, for: sql)
        }
        try forEach(sql, parameters, body)
    }

    /// Returns all rows of a statement at once.
    func run(_ statement: SelectTranslator.Statement) throws(PostgreSQLError) -> PostgreSQLResult {
        try statements.run(statement.sql, statement.bindings.parameters)
    }

    /// Calls `body` with each row of a prepared fetch, and the types of its columns.
    ///
    /// - Returns: `false` if the statement may depend on the values, so that the fetch has to be translated.
    func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue],
        _ body: (PostgreSQLRow, [AttributeType]) throws -> Void
    ) throws -> Bool {
        let statement: PreparedStatement?
        if let known = prepared[fetch.number] {
            statement = known
        } else {
            statement = try PreparedStatement(fetch, layout)
            prepared.insert(statement, for: fetch.number)
        }
        guard let statement, let parameters = try statement.parameters(values) else { return false }
        try forEach(statement.sql, parameters, limit: fetch.query.request.rowLimit) { row in
            try body(row, statement.types)
            return true
        }
        return true
    }

    // MARK: - Cursors

    /// Calls `body` with each row of a cursor, until it returns false. Outside of a transaction, one is begun for the cursor,
    /// because the server would copy all rows for a cursor without one.
    private func forEach(
        _ sql: String, _ parameters: PostgreSQLParameters, _ body: (PostgreSQLRow) throws -> Bool
    ) throws {
        let isOwn = hasTransaction || !connection.isInTransaction
        if !hasTransaction, isOwn {
            try connection.execute("BEGIN READ ONLY")
            hasTransaction = true
        }
        let cursor: PostgreSQLCursor
        do {
            cursor = try PostgreSQLCursor(on: connection, sql, parameters)
        } catch {
            endOwnTransaction()
            throw error
        }
        guard isOwn else {
            defer { cursor.close() }
            while let row = try cursor.next() { guard try body(row) else { return } }
            return
        }
        cursors.append(cursor)
        defer {
            cursors.removeAll { $0 === cursor }
            endOwnTransaction()
        }
        while let row = try cursor.next() { guard try body(row) else { return } }
    }

    /// Ends the transaction of the cursors after the last of them.
    private func endOwnTransaction() {
        guard hasTransaction, cursors.isEmpty else { return }
        hasTransaction = false
        // Nothing was written.
        try? connection.execute("ROLLBACK")
    }

    /// Ends the transaction of the open cursors, before another one begins. Their rows are read first.
    func endReading() throws(PostgreSQLError) {
        guard hasTransaction else { return }
        for cursor in cursors { try cursor.detach() }
        cursors = []
        hasTransaction = false
        try connection.execute("ROLLBACK")
    }

    /// Forgets the open cursors after the connection was lost.
    func forgetReading() {
        cursors = []
        hasTransaction = false
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
        let sql =
            "SELECT \"\(near)\", \"\(far)\" FROM \(layout.links[link.index].name) "
            + "WHERE \"\(near)\" = ANY ($1) ORDER BY 1, 2"
        try forEach(sql, parameters) { row in
            body(row.integer(0), row.integer(1))
            return true
        }
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
