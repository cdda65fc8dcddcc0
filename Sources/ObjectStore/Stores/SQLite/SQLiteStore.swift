internal import Platform
package import SQLiteDriver

/// A store in an SQLite database, with one table for each entity and one column for each attribute.
///
/// The tables and columns have the names of the entities and their properties. The types are SQLite's, and
/// nothing in the schema needs this library, so the `sqlite3` shell can read, check and repair the file.
/// Changes are durable when a save returns: the database uses WAL with `synchronous=FULL`.
public final class SQLiteStore: PersistentStore {
    /// The path of the database.
    public let path: String
    public internal(set) var metadata: StoreMetadata
    /// Whether another connection may have changed the metadata since it was read.
    var isMetadataOld = false
    public internal(set) var transactionDepth = 0
    /// Whether SQLite may write pages to the log before the end of their transaction.
    var isSpilling = true
    public let isReadOnly: Bool
    public let isShared: Bool

    let model: ManagedObjectModel
    package let connection: SQLiteConnection
    /// The mode in which a connection that only reads is opened.
    let readingMode: SQLiteConnection.Mode
    /// The lock of the store, or `nil` if another object holds it for this one, or if the store is closed.
    private(set) var lock: LockFile?
    let damageRecord: DamageRecord
    public private(set) var openingError: StoreError?
    /// Whether the database is only read, because there was no space for its log when it was opened.
    private(set) var isLogMissing = false
    /// Whether a background writer writes in place of this connection. See `beginBackgroundWrite`.
    public internal(set) var hasBackgroundWriter = false
    /// Whether this connection is that of a background writer.
    private let isBackgroundWriter: Bool
    /// Whether the store records its saves as transactions of its history.
    public internal(set) var recordsHistory: Bool
    /// A random number that is in every transaction of the history that this connection saves.
    let writer = Int64.random(in: .min ... .max)
    /// Whether the database has the tables of all search indexes. A store that is only read may be older than they are.
    var hasSearchTables: Bool
    /// Whether a search table was found damaged or missing. The next transaction makes it again.
    var isSearchTableLost = false
    let statements: StatementCache
    var translations: TranslationCache
    /// The statements of each entity, at its position in the model.
    let entities: [EntityStatements]
    /// The largest new ID of each entity that is not in the table of largest IDs yet, or 0.
    var newLargestIDs: [Int64]
    /// The value of `newLargestIDs` at the beginning of a transaction.
    let noLargestIDs: [Int64]
    /// The `newLargestIDs` at the beginning of each open level. An ID is free again if its row is rolled back.
    var largestIDsBefore: [[Int64]] = []

    /// Opens the database at `path`, or creates it if there is no file.
    ///
    /// - Parameters:
    ///   - path: the path of the database.
    ///   - model: the model of the store.
    ///   - readOnly: whether the store is only read. The file then has to exist, and neither it nor
    ///     its directory is written to. Other programs may read the store, too. While a program has it open for
    ///     writing, this store shows the state that was saved last. Otherwise no program can open it for
    ///     writing until this store is closed.
    /// - Throws: a `StoreError` if the file is not a store of this library, is damaged, is newer than this
    ///   library, or belongs to another model. The file is then unchanged.
    public convenience init(path: String, model: ManagedObjectModel, readOnly: Bool = false) throws {
        if readOnly {
            let (access, database) = try Self.openToRead(path)
            try self.init(
                path: path, model: model, lock: access.lock, isReadOnly: true, readingMode: access.mode
            ) { database }
            try metadata.require(model, path: path)
        } else {
            try self.init(path: path, model: model, making: NewStore())
        }
    }

    /// Opens the database at `path` for writing.
    ///
    /// - Parameter new: the store to create if there is no file.
    convenience init(path: String, model: ManagedObjectModel, making new: NewStore) throws {
        try StoreFiles.makeDirectory(of: path)
        let lock = try LockFile(of: path)
        try HotJournal.rollBack(path)
        try SQLiteSchema.examine(path)
        try LogCheck.requireWhole(of: path)
        try StoreFiles.remove(Self.buildingPath(of: path))
        IncomingCopy.removeLeftovers(at: path)
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
                    // Without a log nothing can be written. The lock of the store keeps other daemons from writing.
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
        try damageRecord.watch(path)
    }

    /// Creates a store in a database that exists in memory only.
    convenience init(inMemoryOf model: ManagedObjectModel, making new: NewStore) throws {
        try self.init(path: Self.pathInMemory, model: model, lock: nil) {
            let connection = try SQLiteConnection(path: Self.pathInMemory, mode: .create)
            try SQLiteSchema.make(
                connection, model: model, StoreMetadata(of: model, identifier: new.identifier))
            return (
                connection, try SQLiteSchema.prepare(connection, model: model, path: Self.pathInMemory)
            )
        }
        try new.fill(self)
    }

    /// The path with which SQLite makes a database in memory.
    static let pathInMemory = ":memory:"

    /// Whether the database exists in memory only. Other connections cannot read it.
    var isInMemory: Bool { path == Self.pathInMemory }

    /// Opens a store of the model for reading only, while this process has it open for writing.
    convenience init(reading path: String, model: ManagedObjectModel) throws {
        try self.init(path: path, model: model, lock: nil, isReadOnly: true) {
            try Self.openToRead(path, .readOnly)
        }
    }

    /// Opens the database at `path` for writing, together with other programs.
    ///
    /// - Parameter new: the store to create if there is no file.
    convenience init(sharing path: String, model: ManagedObjectModel, making new: NewStore) throws {
        try StoreFiles.makeDirectory(of: path)
        let lock = try LockFile(sharing: path)
        defer { lock.endOpening() }
        if lock.isAlone {
            try HotJournal.rollBack(path)
            try SQLiteSchema.examine(path)
            try LogCheck.requireWhole(of: path)
            try StoreFiles.remove(Self.buildingPath(of: path))
            IncomingCopy.removeLeftovers(at: path)
        }
        if try new.isNeeded(at: path) {
            try Self.make(new, at: path, model)
            try lock.shareStore(at: path)
        }
        try self.init(path: path, model: model, lock: lock, isShared: true) {
            try Self.openToWrite(path, model)
        }
        try damageRecord.watch(path)
        try beginHistory()
    }

    /// Creates a store in a new file, which the caller removes if anything fails. The store has no indexes,
    /// and nothing in it is durable yet.
    convenience init(building path: String, model: ManagedObjectModel, metadata: StoreMetadata) throws {
        try StoreFiles.makeFile(path)
        try self.init(path: path, model: model, lock: nil) {
            let connection = try SQLiteSchema.connectToWork(path, canRollBack: true)
            try SQLiteSchema.make(connection, model: model, metadata)
            return (connection, metadata)
        }
    }

    /// Opens the store of another coordinator for a background writer.
    ///
    /// - Throws: an error. If another file has the name of the store, that file is not opened.
    convenience init(
        writing path: String, model: ManagedObjectModel, lock: LockFile, damageRecord: DamageRecord
    ) throws {
        try damageRecord.refuseOpening()
        try self.init(
            path: path, model: model, lock: lock, isBackgroundWriter: true,
            damageRecord: damageRecord
        ) {
            try Self.openToWrite(path, model)
        }
    }

    /// Opens a store.
    ///
    /// - Parameter open: connects to the database, and reads its metadata.
    private init(
        path: String, model: ManagedObjectModel, lock: LockFile?, isReadOnly: Bool = false,
        isShared: Bool = false, isBackgroundWriter: Bool = false,
        readingMode: SQLiteConnection.Mode = .readOnly,
        damageRecord: DamageRecord = DamageRecord(), _ open: () throws -> (SQLiteConnection, StoreMetadata)
    ) throws {
        do {
            (connection, metadata) = try open()
            recordsHistory = try SQLiteSchema.hasHistory(connection)
            hasSearchTables = try SQLiteSchema.hasSearchTables(connection, model: model)
        } catch let error as SQLiteError {
            throw Self.storeError(error, path: path)
        }
        self.path = path
        self.model = model
        self.lock = lock
        self.isReadOnly = isReadOnly
        self.isShared = isShared
        self.isBackgroundWriter = isBackgroundWriter
        self.readingMode = readingMode
        self.damageRecord = damageRecord
        statements = StatementCache(connection)
        translations = TranslationCache(model: model, hasSearchTables: hasSearchTables)
        noLargestIDs = Array(repeating: 0, count: model.entities.count)
        newLargestIDs = noLargestIDs
        entities = model.entities.map { EntityStatements($0) }
    }

    public var name: String { path }

    public var damage: StoreError? {
        damageRecord.checkFiles()
        recordForeignStore()
        return damageRecord.found
    }

    /// Records an error if the database has the identifier of another store. A change through SQLite, such as `.restore`
    /// in its shell, and a copy of all files show no other sign.
    func recordForeignStore() {
        guard lock != nil, damageRecord.found == nil else { return }
        do {
            let statement = try statements.statement(SQLiteSchema.identifierQuery)
            defer { statement.reset() }
            let identifier = try statement.step() ? statement.text(0) : nil
            guard identifier.flatMap({ UUIDValue($0) }) != metadata.identifier else { return }
            damageRecord.recordForeignStore(at: path)
        } catch let error as SQLiteError where error.isOfMissingTable {
            damageRecord.recordForeignStore(at: path)
        } catch let error as SQLiteError {
            damageRecord.record(Self.storeError(error, path: path))
        } catch {}
    }

    public func close() {
        damageRecord.checkFiles()
        let isLogOfOthers = damageRecord.isLogOfOthers
        // A checkpoint would write damaged pages into the database. That of a background writer would write the log into
        // the file that has the name now.
        let isDamaged = damageRecord.found.map { isBackgroundWriter || $0.code != .replaced } ?? false
        let isLogLeft = isDamaged || isLogOfOthers || damageRecord.isOverwritten
        if isBackgroundWriter, !isLogLeft { connection.checkpoint() }
        statements.removeAll()
        for entity in entities { entity.forget() }
        if isLogLeft { connection.leaveLogAtClose() }
        connection.close()
        if !isBackgroundWriter { damageRecord.clearPlace(keepingLog: isLogOfOthers) }
        transactionDepth = 0
        lock = nil
    }

    public func waitForLocks(seconds: Double) {
        connection.setBusyTimeout(milliseconds: Int32(max(0, min(seconds, 2_000_000)) * 1000))
    }

    /// Releases the memory that large operations have filled the database's cache with.
    public func releaseMemory() {
        connection.releaseMemory()
    }
}
