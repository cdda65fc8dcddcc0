internal import Platform
internal import SQLiteDriver

// The connections of a store, and new databases.
extension SQLiteStore {
    /// The longest time in which a program that has the lock of the store opens the database, or closes it.
    private static let changeTime = Duration.seconds(5)

    /// Opens a database for reading, whether or not a program has it open for writing.
    ///
    /// A writer has the lock of the store before its database is open and after it is closed. SQLite cannot read the log at
    /// these moments.
    static func openToRead(
        _ path: String
    ) throws -> (access: ReadingAccess, database: (SQLiteConnection, StoreMetadata)) {
        let end = ContinuousClock.now + changeTime
        while true {
            let access = try ReadingAccess(path)
            do {
                return (access, try openToRead(path, access.mode))
            } catch let error as SQLiteError where access.lock == nil && error.isOfChangingLog && .now < end {
                SystemClock.pause(milliseconds: 1)
            } catch let error as SQLiteError {
                throw storeError(error, path: path)
            }
        }
    }

    static func openToRead(
        _ path: String, _ mode: SQLiteConnection.Mode
    ) throws -> (SQLiteConnection, StoreMetadata) {
        let connection = try SQLiteConnection(path: path, mode: mode)
        connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
        try SQLFunctions.define(on: connection)
        try connection.execute("PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY")
        try SQLiteSchema.check(connection, path: path)
        return (connection, try SQLiteSchema.readMetadata(connection, path: path))
    }

    /// Whether SQLite could not create a file beside the database because the disk has no free blocks or inodes.
    static func hasNoRoom(_ error: SQLiteError, _ path: String) -> Bool {
        guard error.kind == .cannotOpen else { return error.isWithoutRoomToShare }
        let probe = buildingPath(of: path)
        do throws(StoreError) {
            try StoreFiles.makeFile(probe)
            try StoreFiles.remove(probe)
            return false
        } catch {
            return error.code == .full
        }
    }

    /// Returns the path at which a new database is built, so that a file with its final name is always a whole store.
    static func buildingPath(of path: String) -> String { FileSystem.target(path) + ".new" }

    /// Builds a database under a temporary name, syncs it to disk, and gives it its final name.
    static func make(_ new: NewStore, at path: String, _ model: ManagedObjectModel) throws {
        let file = buildingPath(of: path)
        do {
            let store = try SQLiteStore(
                building: file, model: model, metadata: StoreMetadata(of: model, identifier: new.identifier))
            defer { store.close() }
            try store.translating { try store.connection.execute("PRAGMA foreign_keys=ON") }
            try new.fill(store)
            store.close()
            try StoreFiles.synchronize(file)
            try StoreFiles.rename(file, to: FileSystem.target(path), isNew: true)
        } catch {
            try? StoreFiles.remove(file)
            guard var error = error as? StoreError, error.path == file else { throw error }
            error.path = path
            throw error
        }
    }

    /// Opens the database for writing, and prepares it.
    ///
    /// - Parameter isAlone: whether the connection excludes all others. It then needs no space for the `-shm` file.
    static func openToWrite(
        _ path: String, _ model: ManagedObjectModel, isAlone: Bool = false
    ) throws -> (SQLiteConnection, StoreMetadata) {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        if isAlone { try connection.execute("PRAGMA locking_mode=EXCLUSIVE") }
        return (connection, try SQLiteSchema.prepare(connection, model: model, path: path))
    }

    /// Removes a journal that a crash left without anything to roll back. While a database in WAL mode is
    /// open, it has no journal.
    func removeIdleJournal() throws {
        let mode = try translating { try connection.text("PRAGMA journal_mode") }
        if mode == "wal" { try? StoreFiles.remove(FileSystem.target(path) + "-journal") }
    }
}
