internal import CivilTime
internal import SQLiteDriver

/// A SELECT in a read transaction on a connection of its own. It reads one state of the store.
final class SQLiteCursor: StoreCursor {
    private let path: String
    private let damageRecord: DamageRecord
    private let connection: SQLiteConnection
    private let statement: SQLiteStatement
    private let types: [AttributeType]
    private var isAtEnd = false

    init(
        path: String, mode: SQLiteConnection.Mode, damageRecord: DamageRecord, sql: SQLFragment,
        types: [AttributeType]
    ) throws {
        self.path = path
        self.damageRecord = damageRecord
        self.types = types
        do {
            connection = try SQLiteConnection(path: path, mode: mode)
            connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            try SQLFunctions.define(on: connection)
            // A transaction sees the state at its first read, so the first read is made now.
            try connection.execute("BEGIN; SELECT 1 FROM sqlite_schema LIMIT 1")
            statement = try connection.prepare(sql.text)
        } catch let error as SQLiteError {
            throw Self.failure(error, path: path, damageRecord: damageRecord)
        }
        statement.bind(sql.bindings)
    }

    /// Creates a cursor in the transaction of another cursor. Both read the same state.
    init(beside other: SQLiteCursor, sql: SQLFragment, types: [AttributeType]) throws {
        path = other.path
        damageRecord = other.damageRecord
        connection = other.connection
        self.types = types
        do {
            statement = try connection.prepare(sql.text)
        } catch {
            throw Self.failure(error, path: path, damageRecord: damageRecord)
        }
        statement.bind(sql.bindings)
    }

    private static func failure(_ error: SQLiteError, path: String, damageRecord: DamageRecord)
        -> StoreError
    {
        let failure = SQLiteStore.storeError(error, path: path)
        damageRecord.record(failure)
        return failure
    }

    func next() throws -> [AttributeValue]? {
        guard try step() else { return nil }
        let types = types
        return [AttributeValue](unsafeUninitializedCapacity: types.count) { row, count in
            for (column, type) in types.enumerated() {
                row.initializeElement(
                    at: column, to: statement.value(Int32(truncatingIfNeeded: column), type))
            }
            count = types.count
        }
    }

    func nextInPlace() throws -> (any StoreRow)? {
        try step() ? SQLiteRow(statement: statement, types: types) : nil
    }

    private func step() throws -> Bool {
        guard !isAtEnd else { return false }
        do {
            isAtEnd = try !statement.step()
            return !isAtEnd
        } catch {
            throw error.functionError ?? Self.failure(error, path: path, damageRecord: damageRecord)
        }
    }

    var interruption: @Sendable () -> Void {
        let reference = ConnectionReference(connection: connection)
        return { reference.connection?.interrupt() }
    }

    /// `@unchecked Sendable`: SQLite allows an interruption from any thread while the connection exists.
    private struct ConnectionReference: @unchecked Sendable {
        weak var connection: SQLiteConnection?
    }
}

/// The current row of a statement.
struct SQLiteRow: StoreRow {
    let statement: SQLiteStatement
    let types: [AttributeType]

    func value(at column: Int) -> AttributeValue {
        guard types.indices.contains(column) else { failColumn(column, of: types.count) }
        return statement.value(Int32(truncatingIfNeeded: column), types[column])
    }

    func integer(at column: Int) -> Int64? {
        switch types[column] {
        case .integer16, .integer32, .integer64: statement.integerIfAny(Int32(truncatingIfNeeded: column))
        case .boolean: statement.integerIfAny(Int32(truncatingIfNeeded: column)).map { $0 == 0 ? 0 : 1 }
        default: nil
        }
    }

    func date(at column: Int) -> Timestamp? {
        guard types[column] == .date else { return nil }
        return statement.realIfAny(Int32(truncatingIfNeeded: column)).map { Timestamp(secondsSince1970: $0) }
    }

    func readText(at column: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        types[column] == .string && statement.readText(Int32(truncatingIfNeeded: column), body)
    }
}

extension SQLiteStore {
    public func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        guard openingError == nil, !isInMemory else {
            guard transactionDepth == 0 else {
                throw StoreError(
                    .misuse,
                    "the store has one connection, so a stream cannot be read inside of a batch; read it before",
                    path: path)
            }
            return FetchedRowsCursor(try rows(query))
        }
        try damageRecord.refuseOpening()
        let (sql, types) = try SQLSelect(query.request, model: model, hasSearchTables: hasSearchTables).rows(
            query)
        return try SQLiteCursor(
            path: path, mode: readingMode, damageRecord: damageRecord, sql: sql, types: types)
    }

    public func cursor(_ query: StoreQuery, beside other: any StoreCursor) throws -> any StoreCursor {
        guard let other = other as? SQLiteCursor else { return try cursor(query) }
        let (sql, types) = try SQLSelect(query.request, model: model, hasSearchTables: hasSearchTables).rows(
            query)
        return try SQLiteCursor(beside: other, sql: sql, types: types)
    }

    public func explanation(of request: StoreRequest) throws -> FetchExplanation {
        let sql = try translations.statement(.objects, request)
        return try translating {
            let statement = try connection.prepare("EXPLAIN QUERY PLAN " + sql.text)
            statement.bind(sql.bindings)
            var depths: [Int64: Int] = [:]
            var plan: [String] = []
            while try statement.step() {
                let depth = depths[statement.integer(1)].map { $0 + 1 } ?? 0
                depths[statement.integer(0)] = depth
                plan.append(String(repeating: "  ", count: depth) + (statement.text(3) ?? ""))
            }
            return FetchExplanation(statement: sql.text, bindings: sql.bindings, plan: plan)
        }
    }
}
