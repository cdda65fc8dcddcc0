/// Storage for objects: rows of values by entity and ID, and pairs of IDs for many-to-many relationships.
///
/// A coordinator uses a store from one queue. It opens a transaction, applies changes, reads, and commits or rolls
/// back. Reads include the applied changes. Nested transactions are savepoints.
public protocol PersistentStore: AnyObject {
    /// The store's description of itself.
    var metadata: StoreMetadata { get }

    /// The store's name in messages, such as its path.
    var name: String { get }

    /// Whether the store cannot be written. No transaction is ever opened then.
    var isReadOnly: Bool { get }

    /// An error if a read has found damage, or if the store's file was removed or replaced; otherwise `nil`. A store
    /// with such an error refuses to be written.
    var damage: StoreError? { get }

    /// The reason why other connections cannot read the store while it is open, or `nil` if they can.
    ///
    /// An error means that the disk had no space for the files that SQLite needs if several connections use a
    /// database. The store can then be read, but not copied. It can be saved unless its log is missing, too.
    var openingError: StoreError? { get }

    /// Sets how long a write waits for another program that writes to the store.
    ///
    /// After that time, the write throws a ``StoreError`` with the code `locked`.
    func waitForLocks(seconds: Double)

    /// Returns a number that changes when another program saves in the store, or `nil` if no other program can write
    /// to the store while it is open.
    func externalVersion() throws -> Int64?

    /// The reason why a loss of power may undo the last successful save, or `nil` if that save is on disk. The next
    /// save may make it durable.
    var durabilityError: StoreError? { get }

    /// Replaces the metadata entries that a program keeps with its objects.
    func setMetadataEntries(_ entries: [String: String]) throws

    /// Returns the largest ID that an object of the entity ever had in this store, or 0 if there was none.
    func largestID(of entity: Entity) throws -> Int64

    // MARK: Transactions

    /// Opens a transaction, or a savepoint inside the open transaction.
    func begin() throws
    /// Ends the innermost level and keeps its changes. After the outermost level has ended, all changes must be
    /// durable. If `commit` throws, the level is still open.
    func commit() throws
    /// Ends the innermost level and discards its changes.
    func rollback()
    /// The number of open levels. A store may end all levels by itself if it fails.
    var transactionDepth: Int { get }

    /// Writes changes in the open transaction. If this throws, the level must be rolled back.
    func apply(_ changes: StoreChanges) throws

    /// Writes updates in the open transaction. The result is the same as that of `apply(_: StoreChanges)` for each
    /// row.
    func apply(_ updates: StoreUpdates) throws

    /// Returns a description of a reference in the open transaction to a missing object, or `nil` if there is none.
    func danglingReference() throws -> String?

    /// Sets columns of all objects that match a request, and returns the IDs of these objects.
    func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64]

    /// Deletes all objects that match a request, and applies the delete rules.
    func delete(_ request: StoreRequest) throws -> StoreDeletion

    // MARK: Reading

    /// Returns the values of one object, or `nil` if there is no object with this ID.
    func row(_ id: Int64, of entity: Entity) throws -> RowValues?

    /// Calls `body` for each object in order, with its ID and a function that reads its values. The function is valid
    /// until `body` returns.
    func fetch(
        _ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void) throws

    /// Returns the IDs of the objects that match a request, in order.
    func ids(_ request: StoreRequest) throws -> [Int64]

    /// Returns the IDs of the objects that have these values in these columns, in any order and up to `limit`.
    ///
    /// The default implementation fetches them.
    func ids(
        of entity: Entity, with values: [AttributeValue], inColumns columns: [Int], limit: Int?
    ) throws -> [Int64]

    /// Returns the IDs of the objects that have a value in a column, in any order and up to `limit`.
    func ids(of entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?) throws
        -> [Int64]

    /// Returns the number of objects that `fetch` would return.
    func count(_ request: StoreRequest) throws -> Int

    /// Returns the rows of a query, in order.
    func rows(_ query: StoreQuery) throws -> FetchedRows

    /// Returns the rows of a prepared fetch, in order. A store may cache its analysis of the query by the fetch's
    /// number.
    func rows(_ fetch: PreparedFetch, with values: [String: AttributeValue]) throws -> FetchedRows

    /// Calls `body` with each row of a prepared fetch, in order. The row is valid until `body` returns. Reads of the
    /// store in `body` see the same state.
    func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void)
        throws

    /// Calls `body` with each row of a query, in order. The row is valid until `body` returns.
    func forEachRow(_ query: StoreQuery, _ body: (any StoreRow) throws -> Void) throws

    /// Returns a cursor over the rows of a query in the currently saved state. Later saves do not affect the cursor.
    /// It may be used on another queue than the store.
    func cursor(_ query: StoreQuery) throws -> any StoreCursor

    /// Returns a cursor over the rows of a query in the state that another cursor of this store reads. If nothing is
    /// saved between the two calls, a store can ignore `other`.
    func cursor(_ query: StoreQuery, beside other: any StoreCursor) throws -> any StoreCursor

    /// Returns a cursor over the pairs of a many-to-many relationship in the state that another cursor of this store
    /// reads.
    ///
    /// Each row contains the ID of an object of the entity and an ID at the other end, sorted by the first and then
    /// by the second.
    func pairs(_ link: Entity.Link, of entity: Entity, beside other: any StoreCursor) throws
        -> any StoreCursor

    /// Returns an explanation of how `fetch` would execute a request.
    func explanation(of request: StoreRequest) throws -> FetchExplanation

    /// Returns the sorted IDs at the other end of a many-to-many relationship.
    func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64]

    /// Calls `body` with each pair of a many-to-many relationship that contains one of these objects: the object and
    /// the ID at the other end. The pairs of an object come in the order of those IDs.
    ///
    /// The default implementation calls `linkedIDs` for each object.
    func forEachPair(_ link: Entity.Link, of ids: [Int64], _ body: (Int64, Int64) -> Void) throws

    /// Closes the store and everything that it holds open.
    func close()
}

extension PersistentStore {
    public var name: String { "the store \(metadata.identifier)" }

    public var isReadOnly: Bool { false }

    public var damage: StoreError? { nil }

    public var openingError: StoreError? { nil }

    public func waitForLocks(seconds: Double) {}

    public func externalVersion() throws -> Int64? { nil }

    public var durabilityError: StoreError? { nil }

    public func ids(
        of entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?
    ) throws -> [Int64] {
        try ids(StoreRequest(entity: entity, with: value, inColumn: column, limit: limit))
    }

    public func ids(
        of entity: Entity, with values: [AttributeValue], inColumns columns: [Int], limit: Int?
    ) throws -> [Int64] {
        try ids(StoreRequest(entity: entity, with: values, inColumns: columns, limit: limit))
    }

    public func rows(_ fetch: PreparedFetch, with values: [String: AttributeValue]) throws -> FetchedRows {
        try rows(fetch.query(values))
    }

    public func forEachRow(
        _ fetch: PreparedFetch, with values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void
    ) throws {
        for row in try rows(fetch, with: values) { try body(row) }
    }

    public func forEachRow(_ query: StoreQuery, _ body: (any StoreRow) throws -> Void) throws {
        for row in try rows(query) { try body(row) }
    }

    public func cursor(_ query: StoreQuery, beside other: any StoreCursor) throws -> any StoreCursor {
        try cursor(query)
    }

    public func pairs(_ link: Entity.Link, of entity: Entity, beside other: any StoreCursor) throws
        -> any StoreCursor
    {
        FetchedRowsCursor(try allPairs(link, of: entity))
    }

    public func forEachPair(
        _ link: Entity.Link, of ids: [Int64], _ body: (Int64, Int64) -> Void
    ) throws {
        for id in ids {
            for far in try linkedIDs(link, of: id) { body(id, far) }
        }
    }

    package func allPairs(_ link: Entity.Link, of entity: Entity) throws -> FetchedRows {
        var pairs = FetchedRows(columns: [.key("id"), .key(link.table)])
        for id in try ids(StoreRequest(entity: entity, order: [FetchOrder("id")])) {
            for far in try linkedIDs(link, of: id) { pairs.append { .integer($0 == 0 ? id : far) } }
        }
        return pairs
    }

    public func apply(_ updates: StoreUpdates) throws { try applyRowByRow(updates) }
}
