internal import CSQLite

extension SQLiteConnection {
    /// Copies the whole database into another one, page by page, while others may write to it.
    ///
    /// The copy is of the state in which this connection's open read transaction is, so that writers cannot
    /// make it begin again and again. `progress` is told how much is done, from 0 to 1, after every step, and
    /// ends the copy by returning false.
    ///
    /// - Returns: whether the copy is complete.
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
                // Only finishing leaves the reason with the destination.
                throw SQLiteError(
                    extendedCode: code, message: String(cString: sqlite3_errstr(code)), sql: "backup")
            }
            let total = Double(max(sqlite3_backup_pagecount(backup), 1))
            guard progress(1 - Double(sqlite3_backup_remaining(backup)) / total) else { return false }
        }
    }
}
