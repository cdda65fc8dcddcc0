internal import CSQLite

/// An error reported by SQLite.
///
/// It contains the extended result code, SQLite's message and the statement. It never contains bound values,
/// because they may be private.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The extended result code, such as `SQLITE_IOERR_FSYNC`.
    package let extendedCode: Int32
    package let message: String
    /// The statement with its `?` parameters, or the path if the file could not be opened.
    package let sql: String?
    /// The error with which an SQL function of this program ended the statement, or `nil`.
    package let functionError: (any Error)?
    /// The position of the error in the UTF-8 of the statement, or `nil` if SQLite gives none.
    package let offset: Int?

    package init(
        extendedCode: Int32, message: String, sql: String? = nil, functionError: (any Error)? = nil,
        offset: Int32 = -1
    ) {
        self.offset = offset < 0 ? nil : Int(offset)
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.functionError = functionError
    }

    package static func == (left: SQLiteError, right: SQLiteError) -> Bool {
        (left.extendedCode, left.message, left.sql) == (right.extendedCode, right.message, right.sql)
    }

    /// The kind of error, as far as callers distinguish it.
    package enum Kind: Sendable {
        /// A crash left a change that only a connection with write access can roll back or complete.
        case unrecovered
        case busy, full, readOnly, damaged, notADatabase, constraint, cannotOpen, ioError, interrupted, other
    }

    /// `SQLITE_IOERR_SHMSIZE`: the shared-memory file next to the database could not be enlarged. The only
    /// possible reason is a full disk.
    private static let noRoomToShare = SQLITE_IOERR | 19 << 8

    /// `SQLITE_READONLY_RECOVERY` and `SQLITE_READONLY_ROLLBACK`.
    private static let needsWriting = [SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8]

    /// `SQLITE_READONLY_RECOVERY`
    private static let cannotRecover = SQLITE_READONLY | 1 << 8
    /// `SQLITE_READONLY_CANTINIT`
    private static let cannotMakeIndex = SQLITE_READONLY | 5 << 8

    /// Whether the log cannot be read now, maybe because another connection is opening or closing the database.
    package var isOfChangingLog: Bool {
        kind == .cannotOpen || [Self.cannotMakeIndex, Self.cannotRecover].contains(extendedCode)
    }

    /// Whether there is no space for the WAL index, a file that the connections to a database share.
    package var isWithoutRoomToShare: Bool { extendedCode == Self.noRoomToShare }

    /// Whether the statement names a table that is not in the database.
    package var isOfMissingTable: Bool {
        extendedCode == SQLITE_ERROR && message.hasPrefix("no such table")
    }

    /// Whether a table of FTS5 is damaged or missing. The tables with the texts are not.
    ///
    /// - Parameter isSearchTable: whether a name is that of such a table.
    package func isOfSearchTable(_ isSearchTable: (Substring) -> Bool) -> Bool {
        if extendedCode == Self.damagedVirtualTable { return true }
        for beginning in ["no such table: ", "vtable constructor failed: "] where message.hasPrefix(beginning)
        {
            let name = message.dropFirst(beginning.count)
            return isSearchTable(name.hasPrefix("main.") ? name.dropFirst(5) : name)
        }
        return false
    }

    /// `SQLITE_CORRUPT_VTAB`
    private static let damagedVirtualTable = SQLITE_CORRUPT | 1 << 8

    package var kind: Kind {
        switch extendedCode & 0xFF {
        case _ where extendedCode == Self.noRoomToShare: .full
        case _ where Self.needsWriting.contains(extendedCode): .unrecovered
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_READONLY, SQLITE_PERM: .readOnly
        case SQLITE_CORRUPT: .damaged
        case SQLITE_NOTADB: .notADatabase
        case SQLITE_CONSTRAINT: .constraint
        case SQLITE_CANTOPEN: .cannotOpen
        case SQLITE_IOERR: .ioError
        case SQLITE_INTERRUPT: .interrupted
        default: .other
        }
    }

    package var description: String {
        let place = sql.map { " in: \($0)" } ?? ""
        return "SQLite error \(extendedCode): \(message)\(place)"
    }
}
