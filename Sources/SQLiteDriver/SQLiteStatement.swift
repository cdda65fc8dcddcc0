internal import CSQLite

/// One compiled statement: bind from 1, step, read columns from 0, reset, again.
///
/// Text and binary values are copied when they are bound, so nothing outlives the call that passed it.
package final class SQLiteStatement {
    /// `SQLITE_TRANSIENT`, which the importer cannot see: SQLite copies what it is given.
    nonisolated(unsafe) static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    /// An address for text without bytes. It is never written to, nor read.
    nonisolated(unsafe) static let emptyText = UnsafePointer(
        UnsafeMutablePointer<CChar>.allocate(capacity: 1))

    let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(handle: OpaquePointer, connection: SQLiteConnection) {
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// The text that was compiled, with its parameters in place.
    package var sql: String {
        sqlite3_sql(handle).map { String(cString: $0) } ?? ""
    }

    // MARK: - Running

    /// Moves to the next row; false when there is none. After an error the statement is reset.
    package func step() throws(SQLiteError) -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        if code == SQLITE_DONE { return false }
        let error = connection.error(code, sql: sql)
        sqlite3_reset(handle)
        throw error
    }

    /// Runs a statement that gives no rows, and makes it ready to be bound and run again. A statement that is kept would
    /// hold what was bound, however long it is, so that is forgotten.
    package func run() throws(SQLiteError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        let code = sqlite3_step(handle)
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw connection.error(code, sql: sql) }
    }

    /// Makes the statement ready to run again; the bound values stay.
    package func reset() {
        sqlite3_reset(handle)
    }

    /// Forgets the bound values, which may be large or private.
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
            // A nil pointer would bind NULL, so an empty text needs an address of its own.
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

    /// What kind of value the column holds in this row.
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

    // To ask for the value and then what it is takes half as long as to ask the statement twice. It is not safe where
    // several threads use one connection, which nobody does here.

    /// The number in the column; nil when it is NULL.
    package func integerIfAny(_ column: Int32) -> Int64? {
        let value = sqlite3_column_value(handle, column)
        return sqlite3_value_type(value) == SQLITE_NULL ? nil : sqlite3_value_int64(value)
    }

    /// The number in the column; nil when it is NULL.
    package func realIfAny(_ column: Int32) -> Double? {
        let value = sqlite3_column_value(handle, column)
        return sqlite3_value_type(value) == SQLITE_NULL ? nil : sqlite3_value_double(value)
    }

    /// The text of the column; nil when it is NULL.
    package func text(_ column: Int32) -> String? {
        var text: String?
        _ = readText(column) { text = String(decoding: $0, as: UTF8.self) }
        return text
    }

    /// Shows the bytes of the column's text, which need not be UTF-8, to `body`; false when it is NULL.
    package func readText(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        let value = sqlite3_column_value(handle, column)
        guard let start = sqlite3_value_text(value) else { return false }
        body(UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        return true
    }

    /// The bytes of the column; empty when it is NULL.
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
