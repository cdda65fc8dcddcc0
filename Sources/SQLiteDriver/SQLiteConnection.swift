internal import CSQLite

/// An open connection to an SQLite database, used by one queue at a time.
///
/// It is opened without SQLite's mutexes. This is safe because the type is not `Sendable`: the compiler
/// prevents a connection and its statements from crossing threads.
package final class SQLiteConnection {
    /// How the file is opened.
    package enum Mode: Sendable {
        /// Opens for reading and writing, and creates the file if it does not exist.
        case create
        /// Opens an existing file for reading and writing.
        case readWrite
        /// Opens for reading only. The file does not change, not even for recovery. The files next to it may
        /// be created.
        case readOnly
        /// Opens for reading only, and does not create or write the files next to the database. While another
        /// program writes to the database, reading works because the writer's files exist.
        case untouched
        /// Opens for reading only a file that no program writes to while it is open. Its log must be empty,
        /// so no other file is needed.
        case unchanging
    }

    /// Turns off SQLite's memory statistics, which take a lock for every allocation and are never read. Has no
    /// effect if other code in the process has already used SQLite.
    private static let isSetUp: Void = { _ = csqlite_stop_counting_memory() }()

    let handle: OpaquePointer
    private var isOpen = true
    /// The error of the SQL function that ended the current statement.
    package let functionFailure = FunctionFailure()
    private var progress: ProgressHandler?

    /// Opens the database at `path`. The path `:memory:` creates a database that exists as long as the
    /// connection.
    package init(path: String, mode: Mode) throws(SQLiteError) {
        Self.isSetUp
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        switch mode {
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .untouched, .unchanging: flags |= SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
        }
        let name =
            switch mode {
            case .create, .readWrite, .readOnly: path
            case .untouched: Self.uri(of: path, option: "readonly_shm=1")
            case .unchanging: Self.uri(of: path, option: "immutable=1")
            }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw SQLiteError(extendedCode: code, message: message, sql: path)
        }
        handle = opened
    }

    deinit {
        close()
    }

    /// Returns a URI such as `file:///home/me/50%25.sqlite?immutable=1`.
    private static func uri(of path: String, option: String) -> String {
        var uri = path.hasPrefix("/") ? "file://" : "file:"
        for character in path {
            switch character {
            case "%": uri += "%25"
            case "?": uri += "%3F"
            case "#": uri += "%23"
            default: uri.append(character)
            }
        }
        return uri + "?" + option
    }

    /// Closes the database. The file stays open until all statements are deallocated.
    package func close() {
        guard isOpen else { return }
        isOpen = false
        sqlite3_close_v2(handle)
    }

    // MARK: - Statements

    /// Compiles one statement. `isKept` is a hint to SQLite that the statement will be used many times.
    package func prepare(_ sql: String, isKept: Bool = false) throws(SQLiteError) -> SQLiteStatement {
        try requireOpen(sql)
        var statement: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
        guard let statement else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the statement is empty", sql: sql)
        }
        return SQLiteStatement(handle: statement, connection: self)
    }

    /// Compiles the first statement of a text, and returns it with the position in UTF-8 at which it ends.
    package func prepareFirst(_ sql: String) throws(SQLiteError) -> (statement: SQLiteStatement, end: Int) {
        try requireOpen(sql)
        var statement: OpaquePointer?
        var end = 0
        let code = sql.withCString { start in
            var tail: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v3(handle, start, -1, 0, &statement, &tail)
            end = tail.map { $0 - start } ?? 0
            return code
        }
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
        guard let statement else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the statement is empty", sql: sql)
        }
        return (SQLiteStatement(handle: statement, connection: self), end)
    }

    /// Runs every statement of `sql` and ignores the rows.
    package func execute(_ sql: String) throws(SQLiteError) {
        try requireOpen(sql)
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
    }

    /// Returns the first column of the first row as an integer, or `nil` if there is no row or the column is
    /// NULL.
    package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
        let statement = try prepare(sql)
        return try statement.step() && !statement.isNull(0) ? statement.integer(0) : nil
    }

    /// Returns the first column of the first row as text, or `nil` if there is no row or the column is NULL.
    package func text(_ sql: String) throws(SQLiteError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.text(0) : nil
    }

    private func requireOpen(_ sql: String) throws(SQLiteError) {
        guard isOpen else {
            throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "the database is closed", sql: sql)
        }
    }

    // MARK: - State

    /// Whether a transaction is open. SQLite ends a transaction by itself after some errors, for example if
    /// the disk is full.
    package var isInTransaction: Bool {
        isOpen && sqlite3_get_autocommit(handle) == 0
    }

    /// Frees cache memory that is no longer needed after large operations.
    package func releaseMemory() {
        if isOpen { sqlite3_db_release_memory(handle) }
    }

    /// The memory that the pages of the database use, in bytes.
    package var cacheSize: Int {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_CACHE_USED, &current, &highest, 0)
        return Int(current)
    }

    /// Writes the pages that the open transaction has changed to the log, and frees the memory of all pages. If it fails,
    /// the COMMIT writes the pages.
    package func releasePages() {
        guard isOpen else { return }
        sqlite3_db_cacheflush(handle)
        sqlite3_db_release_memory(handle)
    }

    /// Moves pages from the WAL into the database, except those that other connections still need to read an
    /// older state. If it fails, a later write does the same work.
    package func checkpoint() {
        if isOpen { sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil) }
    }

    /// Makes `close` keep the WAL unchanged, without moving pages from it into the database.
    package func leaveLogAtClose() {
        if isOpen { _ = csqlite_leave_log_at_close(handle) }
    }

    /// Whether the open transaction has references, checked only at its end, to rows that are not there.
    package var hasViolatedReferences: Bool {
        var current: Int32 = 0
        var highest: Int32 = 0
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
        return current != 0
    }

    /// The number of rows that the last INSERT, UPDATE or DELETE changed.
    package var changedRows: Int {
        Int(sqlite3_changes64(handle))
    }

    /// Sets the time that a statement waits for the lock of another connection before it fails as busy.
    package func setBusyTimeout(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Calls `handler` repeatedly while a statement runs, after every `instructions` instructions of SQLite.
    /// This takes from some microseconds to some milliseconds, depending on the disk.
    package func observeProgress(every instructions: Int32 = 20_000, _ handler: @escaping () -> Void) {
        let progress = ProgressHandler(handler)
        self.progress = progress
        sqlite3_progress_handler(
            handle, instructions,
            { context in
                guard let context else { return 0 }
                Unmanaged<ProgressHandler>.fromOpaque(context).takeUnretainedValue().handle()
                return 0
            }, Unmanaged.passUnretained(progress).toOpaque())
    }

    private final class ProgressHandler {
        let handle: () -> Void

        init(_ handle: @escaping () -> Void) {
            self.handle = handle
        }
    }

    /// A function that stops the running statement. It may be called from any thread until the connection is closed.
    package var interruption: @Sendable () -> Void {
        // SQLite allows this call from any thread.
        nonisolated(unsafe) let handle = handle
        return { sqlite3_interrupt(handle) }
    }

    /// Stops the running statement. May be called from one of its functions or from another thread.
    package func interrupt() {
        sqlite3_interrupt(handle)
    }

    func error(_ code: Int32, sql: String?) -> SQLiteError {
        let extended = sqlite3_extended_errcode(handle)
        defer { functionFailure.error = nil }
        return SQLiteError(
            extendedCode: extended & 0xFF == code & 0xFF ? extended : code,
            message: String(cString: sqlite3_errmsg(handle)), sql: sql, functionError: functionFailure.error,
            offset: sqlite3_error_offset(handle))
    }
}
