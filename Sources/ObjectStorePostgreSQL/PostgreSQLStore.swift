public import ObjectStore
internal import PostgreSQLDriver

/// A store in a schema of a PostgreSQL database, with one table for each entity and one column for each attribute.
///
/// The tables and columns have the names of the entities and their properties, so `psql` can read them. Without a server,
/// opening and every call that reads or writes throw a `StoreError` with the code `unreachable`.
public final class PostgreSQLStore: PersistentStore {
    /// The store's name in messages: the schema, the database and the host.
    public let name: String
    public internal(set) var metadata: StoreMetadata
    public let isReadOnly: Bool
    public let isShared: Bool
    public internal(set) var recordsHistory = false
    public internal(set) var transactionDepth = 0

    let model: ManagedObjectModel
    let place: StorePlace
    let layout: Layout
    let references: SchemaReferences
    let connection: PostgreSQLConnection
    let schema: StoreSchema
    let reader: RowReader
    let writer: RowWriter
    let historyTables: HistoryTables
    /// A random number that is in every transaction of the history that this store saves.
    let writerNumber = Int64.random(in: .min ... .max)
    /// The number of saves that the open transaction has recorded.
    var savesInTransaction = 0
    /// The number of times that another program may have saved.
    var externalChanges: Int64 = 0
    /// The time at which other programs may have saved without a notification.
    var nextCheck = ContinuousClock.now
    var versions = RowVersions()
    /// Whether the open transaction has written rows or pairs since the references were checked.
    var mayDangle = false
    /// The largest ID of each entity that the open transaction has deleted, or 0, at the beginning of each open level and now.
    var deletedIDs: [[Int64]] = []

    /// Connects to the server and opens the store, or creates it if there is none.
    ///
    /// - Parameter new: The store to create if there is none.
    init(
        _ place: StorePlace, model: ManagedObjectModel, isReadOnly: Bool = false, isShared: Bool = false,
        making new: NewStore
    ) throws {
        do {
            connection = try PostgreSQLConnection(place.connection, program: "ObjectStore")
        } catch {
            throw Self.storeError(error, name: "the schema \(place.schema)")
        }
        self.place = place
        self.model = model
        self.isReadOnly = isReadOnly
        self.isShared = isShared
        historyTables = HistoryTables(connection: connection)
        name = place.description(connection)
        do {
            layout = try Layout(model)
            references = try SchemaReferences(layout)
            schema = StoreSchema(on: connection, layout, place: place)
            let isNew = try schema.open(new, isReadOnly: isReadOnly)
            if !isReadOnly { try schema.lock(isShared: isShared) }
            metadata = try schema.readMetadata()
            try metadata.require(model, path: name)
            if isReadOnly {
                try connection.execute("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY")
            } else if !isNew {
                try schema.updateIndexes()
            }
            reader = RowReader(connection, layout)
            writer = RowWriter(layout: layout, statements: reader.statements, place: name)
            recordsHistory = try historyTables.exist()
            if recordsHistory, !isReadOnly { try historyTables.continueNumbers() }
            if isReadOnly || isShared { try connection.execute("LISTEN \(schema.channel)") }
            waitForLocks(seconds: Self.lockTimeout)
            if isNew {
                do {
                    try new.fill(self)
                } catch {
                    try? schema.remove()
                    throw error
                }
            }
        } catch let error as PostgreSQLError {
            throw Self.storeError(error, name: name)
        }
    }

    deinit {
        close()
    }

    /// The time that a write waits for another program by default, in seconds.
    private static let lockTimeout = 5.0

    public func waitForLocks(seconds: Double) {
        let milliseconds = Int(max(0.001, min(seconds, 2_000_000)) * 1000)
        // If the connection is lost, the next write reports it.
        try? connection.execute("SET lock_timeout TO \(milliseconds)")
    }

    public func close() {
        reader.statements.removeAll()
        connection.close()
        transactionDepth = 0
    }

    // MARK: - Metadata

    public func setMetadataEntries(_ entries: [String: String]) throws {
        try begin()
        var changed = metadata
        changed.entries = entries
        do {
            try translating { try schema.write(changed) }
            try commit()
        } catch {
            rollback()
            throw error
        }
        metadata = changed
    }
}
