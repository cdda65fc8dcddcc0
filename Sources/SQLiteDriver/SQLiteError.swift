internal import CSQLite

/// Why SQLite refused to do something.
///
/// It keeps the extended result code, SQLite's own sentence and the statement, never the values that
/// were bound to it: they may be private.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The extended result code, such as `SQLITE_IOERR_FSYNC`.
    package let extendedCode: Int32
    package let message: String
    /// The statement with its `?` in place, or the path when the file could not be opened.
    package let sql: String?
    /// The error with which a function of this program ended the statement, or `nil` if none did.
    package let functionError: (any Error)?

    package init(
        extendedCode: Int32, message: String, sql: String? = nil, functionError: (any Error)? = nil
    ) {
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.functionError = functionError
    }

    package static func == (left: SQLiteError, right: SQLiteError) -> Bool {
        (left.extendedCode, left.message, left.sql) == (right.extendedCode, right.message, right.sql)
    }

    /// What went wrong, as far as a caller can do something about it.
    package enum Kind: Sendable {
        /// A crash left a change of the database that only a connection that can write takes back or brings in.
        case unrecovered
        case busy, full, readOnly, damaged, notADatabase, constraint, cannotOpen, ioError, interrupted, other
    }

    /// `SQLITE_IOERR_SHMSIZE`: the file beside the database that all who use it share could not be made longer, which has
    /// no other reason than that there is no room.
    private static let noRoomToShare = SQLITE_IOERR | 19 << 8

    /// `SQLITE_READONLY_RECOVERY` and `SQLITE_READONLY_ROLLBACK`.
    private static let needsWriting = [SQLITE_READONLY | 1 << 8, SQLITE_READONLY | 3 << 8]

    /// Whether there is no room for the index of the log, which the connections to a database share in a file.
    package var isWithoutRoomToShare: Bool { extendedCode == Self.noRoomToShare }

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
