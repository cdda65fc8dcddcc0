/// Where objects are kept: rows of values by entity and id, pairs of ids for many-to-many relationships.
///
/// A coordinator drives a store from one queue. It opens a transaction, applies changes, reads (also what
/// it has just applied), and commits or rolls back; transactions nest as savepoints.
public protocol PersistentStore: AnyObject {
    /// The last change has to be durable when `commit` of the outermost transaction returns.
    var metadata: StoreMetadata { get }

    /// What people know the store by, such as its path.
    var name: String { get }

    /// Whether nothing can be written; then no transaction is ever opened.
    var isReadOnly: Bool { get }

    /// What was found damaged while it was read, or that its file was removed or replaced; from then on the store refuses
    /// to be written.
    var damage: StoreError? { get }

    /// Why the store cannot be read by others while it is open, or `nil` if it can be: no space was left for what SQLite
    /// keeps beside a database that several connections use. It can be read and saved; a copy of it cannot be made.
    var openingError: StoreError? { get }

    /// A number that is another one after another program has saved in the store; nil if no other program writes to it
    /// while it is open.
    func externalVersion() throws -> Int64?

    /// Why a loss of power may undo the last save, which has happened, or `nil` if it is on disk. The next save may bring
    /// it there.
    var durabilityError: StoreError? { get }

    /// Replaces the entries that a program keeps beside its objects.
    func setMetadataEntries(_ entries: [String: String]) throws

    /// The largest id that any object of the entity ever had here; 0 when there was none.
    func largestID(of entity: Entity) throws -> Int64

    // MARK: Transactions

    /// Opens a transaction, or a savepoint inside of the open one.
    func begin() throws
    /// Ends the innermost level and keeps its changes; of the outermost they are durable then. When it
    /// throws, the level is still open.
    func commit() throws
    /// Ends the innermost level and undoes its changes.
    func rollback()
    /// How many levels are open. A store may end all of them by itself when it fails.
    var transactionDepth: Int { get }

    /// Writes inside of the open transaction. When it throws, the level has to be rolled back.
    func apply(_ changes: StoreChanges) throws

    /// Writes inside of the open transaction what `apply(_: StoreChanges)` could be told row by row.
    func apply(_ updates: StoreUpdates) throws

    /// What refers, in the open transaction, to an object that is not there; nil when nothing does.
    func danglingReference() throws -> String?

    /// Gives columns of all objects of a request new values, and tells which objects these were.
    func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64]

    /// Deletes all objects of a request as the delete rules say.
    func delete(_ request: StoreRequest) throws -> StoreDeletion

    // MARK: Reading

    /// The values of one object; nil when there is none of this id.
    func row(_ id: Int64, of entity: Entity) throws -> RowValues?

    /// Calls `body` for each object in order, with its id and a function that reads its values, which is
    /// good until `body` returns.
    func fetch(
        _ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void) throws

    func ids(_ request: StoreRequest) throws -> [Int64]

    /// The ids of the objects that have a value in a column, in any order; no more of them than `limit`.
    func ids(of entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?) throws
        -> [Int64]

    func count(_ request: StoreRequest) throws -> Int

    /// The rows of a query, in order.
    func rows(_ query: StoreQuery) throws -> FetchedRows

    /// The rows of a prepared fetch, in order. A store that need not look at the whole query each time may remember
    /// what it has found out by the fetch's number.
    func rows(_ fetch: PreparedFetch, _ values: [String: AttributeValue]) throws -> FetchedRows

    /// Calls `body` with each of these rows where it lies. What `body` reads of the store meanwhile is of the same state.
    func forEachRow(
        _ fetch: PreparedFetch, _ values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void)
        throws

    /// Calls `body` with each row of a query where it lies; it is good until `body` returns.
    func forEachRow(_ query: StoreQuery, _ body: (any StoreRow) throws -> Void) throws

    /// The rows of a query one by one, of the state that is saved now, whatever is saved meanwhile.
    func cursor(_ query: StoreQuery) throws -> any StoreCursor

    /// The same of the state that another cursor of this store has. A store in which nothing is saved between the two
    /// need not do anything for it.
    func cursor(_ query: StoreQuery, beside other: any StoreCursor) throws -> any StoreCursor

    /// The ids of the objects of an entity, each with every id at the far end of a many-to-many relationship of theirs,
    /// in the order of the one and then the other; of the state that another cursor of this store has.
    func pairs(_ link: Entity.Link, of entity: Entity, beside other: any StoreCursor) throws
        -> any StoreCursor

    /// How `fetch` would carry the request out.
    func explanation(of request: StoreRequest) throws -> FetchExplanation

    /// The ids at the far end of a many-to-many relationship, sorted.
    func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64]

    /// Ends the use of the store: what it holds open is closed.
    func close()
}

extension PersistentStore {
    public var name: String { "the store \(metadata.identifier)" }

    public var isReadOnly: Bool { false }

    public var damage: StoreError? { nil }

    public var openingError: StoreError? { nil }

    public func externalVersion() throws -> Int64? { nil }

    public var durabilityError: StoreError? { nil }

    public func ids(
        of entity: Entity, with value: AttributeValue, inColumn column: Int, limit: Int?
    ) throws -> [Int64] {
        try ids(StoreRequest(entity: entity, with: value, inColumn: column, limit: limit))
    }

    public func rows(_ fetch: PreparedFetch, _ values: [String: AttributeValue]) throws -> FetchedRows {
        try rows(fetch.query(values))
    }

    public func forEachRow(
        _ fetch: PreparedFetch, _ values: [String: AttributeValue], _ body: (any StoreRow) throws -> Void
    ) throws {
        for row in try rows(fetch, values) { try body(row) }
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

    func allPairs(_ link: Entity.Link, of entity: Entity) throws -> FetchedRows {
        var pairs = FetchedRows(columns: [.key("id"), .key(link.table)])
        for id in try ids(StoreRequest(entity: entity, order: [FetchOrder("id")])) {
            for far in try linkedIDs(link, of: id) { pairs.append { .integer($0 == 0 ? id : far) } }
        }
        return pairs
    }

    public func apply(_ updates: StoreUpdates) throws { try applyRowByRow(updates) }
}
