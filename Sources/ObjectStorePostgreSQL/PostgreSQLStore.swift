public import ObjectStore
internal import PostgreSQLDriver

/// A store in a schema of a PostgreSQL database, with one table for each entity and one column for each attribute.
///
/// The tables and columns have the names of the entities and their properties, so `psql` can read them. Without a server,
/// opening and every call that reads or writes throw a `StoreError` with the code `unreachable`. When the server is back, the
/// next call connects again.
public final class PostgreSQLStore: ServerStore {
    /// The store's name in messages: the schema, the database and the host.
    public let name: String
    public internal(set) var metadata: StoreMetadata
    public let isReadOnly: Bool
    public let isShared: Bool
    public internal(set) var recordsHistory = false
    public internal(set) var lossCount = 0
    public internal(set) var transactionDepth = 0
    /// The reason why the store is no longer used, such as a migration by another program, or `nil`.
    public internal(set) var damage: StoreError?

    let model: ManagedObjectModel
    let place: StorePlace
    let layout: Layout
    let references: SchemaReferences
    let connection: PostgreSQLConnection
    let schema: StoreSchema
    let reader: RowReader
    let writer: RowWriter
    let historyTables: HistoryTables
    /// Whether the store is a part of a migration, which owns the connection and its transaction.
    let isInMigration: Bool
    /// A random number that is in every transaction of the history that this store saves.
    let writerNumber = Int64.random(in: .min ... .max)
    /// The number of the last transaction of this store.
    var transactionNumber: Int64 = 0
    /// The number of the last transaction that the server has confirmed.
    var committedNumber: Int64 = 0
    /// The reason why the server has ended the last transaction, or `nil` if it has not.
    var transactionFailure: (any Error)?
    /// The number of saves that the open transaction has recorded.
    var savesInTransaction = 0
    /// The number in the history of the last save of this store.
    var lastRecorded: Int64 = 0
    /// Whether the store recorded its history before the open transaction.
    var recordedHistory = false
    /// The number of times that another program may have saved.
    var externalChanges: Int64 = 0
    /// The time at which other programs may have saved without a notification.
    var nextCheck = ContinuousClock.now
    /// The time that a call waits for another program or for the server, in seconds.
    var waitingTime = defaultWaitingTime
    /// The process of the server that serves the connection, and the times at which the process and the server began, as texts.
    var session: (process: Int64, beginning: String, serverBeginning: String) = (0, "", "")
    /// The time of the server when this program locked the store, as a text.
    var lockTime = ""
    var versions: RowVersions
    /// Whether the open transaction has written rows or pairs since the references were checked.
    var mayDangle = false
    /// The largest ID of each entity that the open transaction has deleted, or 0, at the beginning of each open level and now.
    var deletedIDs: [[Int64]] = []

    /// The default of `waitingTime`.
    static let defaultWaitingTime = 5.0

    init(
        on connection: PostgreSQLConnection, _ place: StorePlace, _ layout: Layout, _ metadata: StoreMetadata,
        isReadOnly: Bool = false, isShared: Bool = false, isInMigration: Bool = false
    ) throws(PostgreSQLError) {
        self.connection = connection
        self.place = place
        self.layout = layout
        self.metadata = metadata
        self.isReadOnly = isReadOnly
        self.isShared = isShared
        self.isInMigration = isInMigration
        model = layout.model
        versions = RowVersions(entityCount: layout.model.entities.count)
        name = place.description(connection)
        references = try SchemaReferences(layout)
        schema = StoreSchema(on: connection, place: place)
        historyTables = HistoryTables(connection: connection)
        reader = RowReader(connection, layout)
        writer = RowWriter(layout: layout, statements: reader.statements, place: name)
    }

    /// Connects to the server and opens the store, or creates it if there is none.
    ///
    /// - Parameter new: The store to create if there is none.
    static func open(
        _ place: StorePlace, model: ManagedObjectModel, isReadOnly: Bool, isShared: Bool, making new: NewStore
    ) throws -> PostgreSQLStore {
        let connection = try connect(place)
        return try translating(place.description(connection)) {
            let layout = try Layout(model)
            let schema = StoreSchema(on: connection, place: place)
            try schema.beginSession()
            let isNew = try schema.open(layout, new, isReadOnly: isReadOnly)
            if !isReadOnly { try schema.lock(isShared: isShared) }
            let metadata = try schema.readMetadata()
            try metadata.require(model, path: place.description(connection))
            if !isReadOnly, !isNew { try schema.updateIndexes(of: layout) }
            let store = try PostgreSQLStore(
                on: connection, place, layout, metadata, isReadOnly: isReadOnly, isShared: isShared)
            store.recordsHistory = try store.historyTables.exist()
            try store.beginSession()
            guard isNew else { return store }
            do {
                try new.fill(store)
            } catch {
                try? schema.remove()
                throw error
            }
            return store
        }
    }

    static func connect(_ place: StorePlace) throws -> PostgreSQLConnection {
        try translating("the schema \(place.schema)") {
            try PostgreSQLConnection(place.connection, program: "ObjectStore")
        }
    }

    deinit {
        close()
    }

    public func close() {
        reader.statements.removeAll()
        transactionDepth = 0
        if !isInMigration { connection.close() }
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
