internal import CSQLite

extension SQLiteConnection {
    /// Copies the whole database into another one, page by page, while other connections may write to it.
    ///
    /// If this connection has an open read transaction, the copy has the state that the transaction reads.
    /// Writers then cannot make the copy start over. `progress` is called after every step with the part that
    /// is done, from 0 to 1. It stops the copy by returning false.
    ///
    /// - Returns: true if the copy is complete.
    package func copy(
        into destination: SQLiteConnection, pagesPerStep: Int32 = 64,
        progress: (Double) -> Bool = { _ in true }
    ) throws(SQLiteError) -> Bool {
        guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
            throw destination.error(SQLITE_ERROR, sql: "backup")
        }
        defer { sqlite3_backup_finish(backup) }
        while true {
            let code = sqlite3_backup_step(backup, pagesPerStep)
            if code == SQLITE_DONE { return true }
            guard code == SQLITE_OK else {
                // SQLite reports the cause to the destination connection only when the backup is finished.
                throw SQLiteError(
                    extendedCode: code, message: String(cString: sqlite3_errstr(code)), sql: "backup")
            }
            let total = Double(max(sqlite3_backup_pagecount(backup), 1))
            guard progress(1 - Double(sqlite3_backup_remaining(backup)) / total) else { return false }
        }
    }
}
