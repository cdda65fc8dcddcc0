package import SQLiteDriver

/// A store in an SQLite database: one table for each entity, one column for each attribute.
///
/// The tables and columns are named like the entities and their properties, the types are SQLite's, and
/// nothing in the schema needs this library, so the `sqlite3` shell reads, checks and repairs the file.
/// Writes are durable when a save returns: WAL with `synchronous=FULL`.
public final class SQLiteStore: PersistentStore {
    public let path: String
    public internal(set) var metadata: StoreMetadata
    /// Whether another connection may have changed the metadata since they were read.
    var isMetadataOld = false
    public internal(set) var transactionDepth = 0
    public let isReadOnly: Bool

    let model: ManagedObjectModel
    package let connection: SQLiteConnection
    /// How a connection that only reads is to be made.
    let readingMode: SQLiteConnection.Mode
    /// Nil where somebody else holds the lock for this object, and when the store is closed.
    private(set) var lock: LockFile?
    let damageRecord: DamageRecord
    public private(set) var openingError: StoreError?
    /// Whether the database is only read, because there was no room for its log when it was opened.
    private(set) var isLogMissing = false
    /// Whether another connection writes in place of this one; see `lend`.
    var isLent = false
    /// Whether this connection writes in place of the one that has lent it the store.
    private let isBorrowed: Bool
    let statements: StatementCache
    var translations: TranslationCache
    /// The statements of each entity, at its position in the model.
    let entities: [EntityStatements]
    /// The largest id of each entity that was written but not yet noted beside the tables.
    var newLargestIDs: [Int64]
    /// What these were when each of the open levels began: an id whose row is rolled back was never given.
    var largestIDsBefore: [[Int64]] = []

    /// Opens the database at `path`, or makes it.
    ///
    /// What is not a store of ours, is damaged, newer than this library, or of another model, is refused and
    /// not touched.
    ///
    /// - Parameter readOnly: whether it is only read. Then it has to be there, neither it nor anything in its
    ///   directory is written, and others may read it too. While somebody has it open for writing it shows what
    ///   was saved last; who wants to open it for writing later has to wait.
    public convenience init(path: String, model: ManagedObjectModel, readOnly: Bool = false) throws {
        if readOnly {
            let access = try ReadingAccess(path)
            try self.init(reading: path, model: model, access.mode, access.lock)
            try metadata.require(model, path: path)
        } else {
            try self.init(path: path, model: model, making: NewStore())
        }
    }

    /// - Parameter new: the database to make if there is none.
    convenience init(path: String, model: ManagedObjectModel, making new: NewStore) throws {
        try FileSystem.makeDirectory(of: path)
        let lock = try LockFile(of: path)
        try HotJournal.rollBack(path)
        try SQLiteSchema.examine(path)
        try LogCheck.requireWhole(of: path)
        try FileSystem.remove(Self.buildingPath(of: path))
        StoreBackup.removeLeftovers(at: path)
        if try new.isNeeded(at: path) {
            try Self.make(new, at: path, model)
            try lock.holdStore(at: path)
        }
        var openingError: StoreError?
        var isLogMissing = false
        try self.init(path: path, model: model, lock: lock) {
            do {
                return try Self.openToWrite(path, model)
            } catch let error as SQLiteError where Self.hasNoRoom(error, path) {
                openingError = StoreError(
                    .full,
                    "no space was left when it was opened, so a copy of it cannot be made; make room and open it again",
                    path: path, cause: error)
                do {
                    return try Self.openToWrite(path, model, isAlone: true)
                } catch let error as SQLiteError
                    where Self.hasNoRoom(error, path) && ((try? ReadingAccess.isLogEmpty(path)) ?? false)
                {
                    // There is no log, and none can be made. The lock of the store keeps other daemons from writing.
                    isLogMissing = true
                    openingError = StoreError(
                        .full,
                        "no space was left for its log when it was opened, so nothing can be saved; make room and open it again",
                        path: path, cause: error)
                    return try Self.openToRead(path, .unchanging)
                }
            }
        }
        if isLogMissing { try metadata.require(model, path: path) }
        self.openingError = openingError
        self.isLogMissing = isLogMissing
        try removeIdleJournal()
        lock.keep()
        damageRecord.watch(path)
    }

    /// Opens a store of that model only to be read; the lock is for somebody who does not hold it already.
    convenience init(
        reading path: String, model: ManagedObjectModel, _ mode: SQLiteConnection.Mode = .readOnly,
        _ lock: LockFile? = nil
    ) throws {
        try self.init(path: path, model: model, lock: lock, isReadOnly: true, readingMode: mode) {
            try Self.openToRead(path, mode)
        }
    }

    private static func openToRead(
        _ path: String, _ mode: SQLiteConnection.Mode
    ) throws -> (SQLiteConnection, StoreMetadata) {
        let connection = try SQLiteConnection(path: path, mode: mode)
        connection.setBusyTimeout(milliseconds: SQLiteSchema.busyTimeout)
        try SQLFunctions.define(on: connection)
        try connection.execute("PRAGMA trusted_schema=OFF; PRAGMA temp_store=MEMORY")
        try SQLiteSchema.check(connection, path: path)
        return (connection, try SQLiteSchema.readMetadata(connection, path: path))
    }

    /// Whether SQLite could not make a file beside the database because there is no room: no blocks, or no inodes.
    static func hasNoRoom(_ error: SQLiteError, _ path: String) -> Bool {
        guard error.kind == .cannotOpen else { return error.isWithoutRoomToShare }
        let probe = buildingPath(of: path)
        do throws(StoreError) {
            try FileSystem.makeFile(probe)
            try FileSystem.remove(probe)
            return false
        } catch {
            return error.code == .full
        }
    }

    /// Where a new database is built, so that a file with its final name is always a whole store.
    private static func buildingPath(of path: String) -> String { FileSystem.target(path) + ".new" }

    /// Builds a database under another name, brings it to the disk, and gives it its name.
    private static func make(_ new: NewStore, at path: String, _ model: ManagedObjectModel) throws {
        let file = buildingPath(of: path)
        do {
            let store = try SQLiteStore(
                building: file, model: model, metadata: StoreMetadata(of: model, identifier: new.identifier))
            defer { store.close() }
            try store.translating { try store.connection.execute("PRAGMA foreign_keys=ON") }
            try new.fill(store)
            store.close()
            try FileSystem.synchronize(file)
            try FileSystem.renameToNew(file, FileSystem.target(path))
        } catch {
            try? FileSystem.remove(file)
            guard let error = error as? StoreError, error.path == file else { throw error }
            throw StoreError(error.code, error.message, path: path, cause: error.cause)
        }
    }

    /// Makes a store in a file that is thrown away when anything goes wrong; it has no indexes, and nothing in
    /// it is durable yet.
    convenience init(building path: String, model: ManagedObjectModel, metadata: StoreMetadata) throws {
        try FileSystem.makeFile(path)
        try self.init(path: path, model: model, lock: nil) {
            let connection = try SQLiteSchema.connectToWork(path, canRollBack: true)
            try SQLiteSchema.make(connection, model: model, metadata)
            return (connection, metadata)
        }
    }

    /// Opens a store that another coordinator has lent.
    convenience init(_ lent: LentStore) throws {
        try self.init(
            path: lent.path, model: lent.model, lock: lent.lock, isBorrowed: true,
            damageRecord: lent.damageRecord
        ) {
            try Self.openToWrite(lent.path, lent.model)
        }
    }

    /// - Parameter open: connects to the database, and tells what it says of itself.
    private init(
        path: String, model: ManagedObjectModel, lock: LockFile?, isReadOnly: Bool = false,
        isBorrowed: Bool = false, readingMode: SQLiteConnection.Mode = .readOnly,
        damageRecord: DamageRecord = DamageRecord(), _ open: () throws -> (SQLiteConnection, StoreMetadata)
    ) throws {
        do {
            (connection, metadata) = try open()
        } catch let error as SQLiteError {
            throw Self.storeError(error, path: path)
        }
        self.path = path
        self.model = model
        self.lock = lock
        self.isReadOnly = isReadOnly
        self.isBorrowed = isBorrowed
        self.readingMode = readingMode
        self.damageRecord = damageRecord
        statements = StatementCache(connection)
        translations = TranslationCache(model: model)
        newLargestIDs = Array(repeating: 0, count: model.entities.count)
        entities = model.entities.map { EntityStatements($0) }
    }

    /// - Parameter isAlone: whether the connection excludes all others, and so needs no room for what it would share with
    ///   them.
    private static func openToWrite(
        _ path: String, _ model: ManagedObjectModel, isAlone: Bool = false
    ) throws -> (SQLiteConnection, StoreMetadata) {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        if isAlone { try connection.execute("PRAGMA locking_mode=EXCLUSIVE") }
        return (connection, try SQLiteSchema.prepare(connection, model: model, path: path))
    }

    /// Removes a journal that a crash left before there was anything in it to roll back. A database with a log has no journal
    /// while a connection to it is open.
    private func removeIdleJournal() throws {
        let mode = try translating { try connection.text("PRAGMA journal_mode") }
        if mode == "wal" { try? FileSystem.remove(FileSystem.target(path) + "-journal") }
    }

    public var name: String { path }

    public var damage: StoreError? {
        damageRecord.lookAtPlace()
        return damageRecord.found
    }

    public func close() {
        if isBorrowed, !damageRecord.isOverwritten, !damageRecord.isIndexLost { connection.checkpoint() }
        statements.removeAll()
        for entity in entities { entity.forget() }
        damageRecord.lookAtPlace()
        let isIndexLost = damageRecord.isIndexLost
        if damageRecord.isOverwritten || isIndexLost { connection.leaveLogAtClose() }
        connection.close()
        if !isBorrowed { damageRecord.clearPlace(keepingLog: isIndexLost) }
        transactionDepth = 0
        lock = nil
    }

    func waitForLocks(seconds: Double) {
        connection.setBusyTimeout(milliseconds: Int32(clamping: Int(seconds * 1000)))
    }

    /// Gives memory back that large work has filled the database's cache with.
    public func releaseMemory() {
        connection.releaseMemory()
    }

    // MARK: - Errors

    /// Runs `body` and makes what SQLite says an error of the store.
    func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            if !connection.isInTransaction { transactionDepth = 0 }
            if let error = error.functionError { throw error }
            let failure = Self.storeError(error, path: path)
            damageRecord.note(failure)
            throw failure
        }
    }

    static func storeError(_ error: SQLiteError, path: String) -> StoreError {
        let (code, message): (StoreError.Code, String) =
            switch error.kind {
            case .unrecovered: (.unreachable, StoreError.halfChanged(path).message)
            case .full: (.full, "no space is left; nothing was saved, make room and save again")
            case .readOnly:
                (.readOnly, "the file cannot be written; nothing was saved, check its permissions")
            case .damaged: (.damaged, "the database is damaged; stop, keep a copy, and restore a backup")
            case .notADatabase: (.notADatabase, "the file is not a database; choose another path")
            case .cannotOpen:
                (.unreachable, "the database cannot be opened; check the directory and permissions")
            case .ioError: (.unreachable, "the disk failed to read or write; nothing was saved")
            case .busy:
                (
                    .locked,
                    "another program has locked the database; nothing was saved, end its transaction and save again"
                )
            case .constraint, .interrupted, .other: (.other, "the database refused")
            }
        return StoreError(code, message, path: path, cause: error)
    }
}
