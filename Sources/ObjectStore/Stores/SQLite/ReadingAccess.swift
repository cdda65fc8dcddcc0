internal import Platform
internal import SQLiteDriver

/// The way to read the database at a path without creating a file beside it.
struct ReadingAccess {
    let mode: SQLiteConnection.Mode
    /// The shared lock that keeps writers away, or `nil` if a program has the store open for writing already.
    let lock: LockFile?

    init(_ path: String) throws(StoreError) {
        guard let stamp = try FileStamp(of: path), !stamp.isEmpty else {
            throw StoreError.nothingToRead(path)
        }
        guard let sharing = LockFile.share(path) else {
            // This process may be the writer. It would lose its locks if the file were opened and closed here.
            (mode, lock) = (.untouched, nil)
            return
        }
        lock = sharing.lock
        guard try !HotJournal.exists(beside: path) else { throw StoreError.halfChanged(path) }
        try SQLiteSchema.examine(path)
        try LogCheck.requireWhole(of: path)
        // The log that a crash left is part of the store. Without writing, SQLite can read it only if the
        // `-shm` file exists.
        mode = try Self.isLogEmpty(path) ? .unchanging : .untouched
        if mode == .untouched, !FileSystem.exists(FileSystem.target(path) + "-shm") {
            throw StoreError(
                .unreachable,
                "its log still has the last changes; open the store once for writing, which applies them",
                path: path)
        }
    }

    /// Runs `body` with a connection that reads the database at a path, whether or not a program has it open.
    ///
    /// If no program has it open and its log is empty, no file is created beside it. If a crash left a
    /// journal beside it, the connection reads a private copy in which the journal is rolled back. The
    /// database itself stays as it is.
    static func connection<Result>(
        to path: String, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let sharing = LockFile.share(path)
        return try withExtendedLifetime(sharing) {
            guard sharing != nil else {
                do {
                    return try connection(to: path, .readOnly, body)
                } catch let error as SQLiteError where SQLiteStore.hasNoRoom(error, path) {
                    // If another program had the database open, the file would exist. So the lock is of this process.
                    guard try !isLogEmpty(path) else { return try connection(to: path, .unchanging, body) }
                    return try connectionAlone(to: path, body)
                }
            }
            if try HotJournal.exists(beside: path) {
                return try HotJournal.withRolledBackCopy(of: path) { copy in
                    try connection(to: copy, .unchanging, body)
                }
            }
            try LogCheck.requireWhole(of: path)
            return try connection(to: path, isLogEmpty(path) ? .unchanging : .readOnly, body)
        }
    }

    private static func connection<Result>(
        to path: String, _ mode: SQLiteConnection.Mode, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        do {
            let connection = try SQLiteConnection(path: path, mode: mode)
            connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
            return try body(connection)
        } catch let error as SQLiteError where error.kind == .busy {
            // Only a connection in exclusive mode prevents other programs from reading.
            throw StoreError(
                .locked,
                """
                a program has opened it in SQLite's exclusive mode, as todod does on a full disk, so it cannot be read; make \
                room on its disk, restart that program and try again
                """,
                path: path, cause: error)
        }
    }

    /// Runs `body` with a connection that excludes all others. It needs no index file for the log, and writes nothing.
    private static func connectionAlone<Result>(
        to path: String, _ body: (SQLiteConnection) throws -> Result
    ) throws -> Result {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        connection.leaveLogAtClose()
        try connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        return try body(connection)
    }

    static func isLogEmpty(_ path: String) throws(StoreError) -> Bool {
        try FileStamp(of: FileSystem.target(path) + "-wal")?.isEmpty ?? true
    }
}
