public import CSQLite

/// A compiled statement: bind parameters from 1, step, read columns from 0, reset, repeat.
///
/// Bound text and binary values are copied, so they need not outlive the call.
public final class SQLiteStatement {
    /// `SQLITE_TRANSIENT`, which Swift cannot import. It makes SQLite copy the value.
    nonisolated(unsafe) static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// An address for empty text. It is never read or written.
    nonisolated(unsafe) static let emptyText = UnsafePointer(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))

    @usableFromInline let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(handle: OpaquePointer, connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// The text of the statement, with its parameters.
    package var sql: String {
        sqlite3_sql(handle).map { String(cString: $0) } ?? ""
    }

    /// Whether the statement does not change the database.
    package var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// The number of values to bind.
    package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

    /// The names of the columns.
    package var columnNames: [String] {
        (0..<sqlite3_column_count(handle)).map {
            sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? ""
        }
    }

    // MARK: - Running

    /// Moves to the next row. Returns false if there is none. Resets the statement after an error.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let error = connection.error(code, sql: sql)
        sqlite3_reset(handle)
        throw error
    }

    /// Runs a statement that returns no rows, and makes it ready to be bound and run again. The bound values
    /// are cleared, because a statement that is kept would keep them in memory.
    package func run() throws(SQLiteError) {
        defer { sqlite3_clear_bindings(handle) }
        try runKeepingBindings()
    }

    /// Does the same as `run`, but does not clear the bound values. A statement that is bound again at once does not need
    /// this.
    package func runKeepingBindings() throws(SQLiteError) {
        defer { sqlite3_reset(handle) }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw connection.error(code, sql: sql) }
    }

    /// Makes the statement ready to run again. Bound values are kept.
    package func reset() {
        sqlite3_reset(handle)
    }

    /// Clears the bound values, which may be large or private.
    package func clearBindings() {
        sqlite3_clear_bindings(handle)
    }

    // MARK: - Binding

    package func bindNull(_ index: Int32) {
        sqlite3_bind_null(handle, index)
    }

    package func bind(_ value: Int64, at index: Int32) {
        sqlite3_bind_int64(handle, index, value)
    }

    package func bind(_ value: Double, at index: Int32) {
        sqlite3_bind_double(handle, index, value)
    }

    package func bind(_ value: String, at index: Int32) {
        let isBound = value.utf8.withContiguousStorageIfAvailable { bind(utf8: $0, at: index) } != nil
        if !isBound {
            var copy = value
            copy.withUTF8 { bind(utf8: $0, at: index) }
        }
    }

    private func bind(utf8 bytes: UnsafeBufferPointer<UInt8>, at index: Int32) {
        bytes.withMemoryRebound(to: CChar.self) { characters in
            // A nil pointer would bind NULL, so empty text needs an address.
            _ = sqlite3_bind_text64(
                handle, index, characters.baseAddress ?? Self.emptyText, UInt64(characters.count),
                Self.copied,
                UInt8(SQLITE_UTF8))
        }
    }

    package func bind(_ value: [UInt8], at index: Int32) {
        value.withUnsafeBytes { bytes in
            if let address = bytes.baseAddress, !bytes.isEmpty {
                _ = sqlite3_bind_blob64(handle, index, address, UInt64(bytes.count), Self.copied)
            } else {
                _ = sqlite3_bind_zeroblob(handle, index, 0)
            }
        }
    }

    // MARK: - Reading

    package var columnCount: Int {
        Int(sqlite3_column_count(handle))
    }

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    /// Returns the storage class of the column's value in the current row.
    package func kind(_ column: Int32) -> ColumnKind {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: .integer
        case SQLITE_FLOAT: .real
        case SQLITE_TEXT: .text
        case SQLITE_BLOB: .blob
        default: .null
        }
    }

    package func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    package func real(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    // Reading the value and then its type is twice as fast as two calls of column functions. It is unsafe if
    // several threads share a connection, which never happens here.
    // These functions are public because the compiler inlines no function of a package in another module.

    /// Returns the integer in the column, or `nil` if it is NULL.
    @inlinable
    @inline(__always)
    public func integerIfAny(_ column: Int32) -> Int64? {
        let value = sqlite3_column_value(handle, column)
        return sqlite3_value_type(value) == SQLITE_NULL ? nil : sqlite3_value_int64(value)
    }

    /// Returns the number in the column, or `nil` if it is NULL.
    @inlinable
    @inline(__always)
    public func realIfAny(_ column: Int32) -> Double? {
        let value = sqlite3_column_value(handle, column)
        return sqlite3_value_type(value) == SQLITE_NULL ? nil : sqlite3_value_double(value)
    }

    /// Returns the text in the column, or `nil` if it is NULL.
    @inlinable
    @inline(__always)
    public func text(_ column: Int32) -> String? {
        var text: String?
        _ = readText(column) { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// Calls `body` with the bytes of the column's text, which may be invalid UTF-8. Returns false if the
    /// column is NULL.
    @inlinable
    @inline(__always)
    public func readText(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        let value = sqlite3_column_value(handle, column)
        guard let start = sqlite3_value_text(value) else { return false }
        body(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        return true
    }

    /// Returns the bytes in the column, or an empty array if it is NULL.
    package func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

/// The storage classes of SQLite.
package enum ColumnKind: Sendable {
    case null, integer, real, text, blob
}
