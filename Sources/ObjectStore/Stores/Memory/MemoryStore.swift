/// A store in memory only. Its objects are lost when it is deallocated.
///
/// It supports every request that a store in a file supports, with the same results. It serves for tests and
/// for temporary objects. To-one relationships and unique attributes have an index. All other conditions are
/// evaluated for each object.
public class MemoryStore: PersistentStore {
    let model: ManagedObjectModel
    let tables: MemoryTables
    /// The metadata without its entries, because a transaction may change those.
    private let identity: StoreMetadata

    /// Creates an empty store.
    public convenience init(model: ManagedObjectModel) {
        self.init(model: model, identifier: UUIDValue())
    }

    convenience init(model: ManagedObjectModel, identifier: UUIDValue) {
        self.init(
            tables: MemoryTables(model: model), identity: StoreMetadata(of: model, identifier: identifier))
    }

    init(tables: MemoryTables, identity: StoreMetadata) {
        model = tables.model
        self.tables = tables
        self.identity = identity
    }

    /// Makes the changes of the outermost transaction durable. If it throws, the transaction is still open.
    func persist() throws {}

    public func close() {}

    public var isReadOnly: Bool { false }

    public var damage: StoreError? { nil }

    public var durabilityError: StoreError? { nil }

    public var name: String { "the store \(identity.identifier)" }

    // MARK: - Metadata

    public var metadata: StoreMetadata {
        var metadata = identity
        metadata.entries = tables.entries
        return metadata
    }

    public func setMetadataEntries(_ entries: [String: String]) throws {
        try begin()
        tables.writeEntries(entries)
        do {
            try commit()
        } catch {
            rollback()
            throw error
        }
    }

    public func largestID(of entity: Entity) throws -> Int64 {
        tables.largestIDs[entity.index]
    }

    // MARK: - Transactions

    public var transactionDepth: Int { tables.depth }

    public func begin() throws {
        guard !isReadOnly else { throw StoreError.readOnly(self) }
        tables.begin()
    }

    public func commit() throws {
        guard tables.depth > 0 else { throw StoreError.noTransaction(self) }
        if tables.depth == 1 && tables.isChanged {
            try tables.requireSoundRows()
            try persist()
        }
        tables.commit()
    }

    public func rollback() {
        tables.rollback()
    }

    public func apply(_ changes: StoreChanges) throws {
        try tables.apply(changes)
    }

    public func danglingReference() throws -> String? {
        tables.danglingReference()
    }

    public func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        try BulkChanges(model: model, store: self).update(request, set: values)
    }

    public func delete(_ request: StoreRequest) throws -> StoreDeletion {
        try BulkChanges(model: model, store: self).delete(request)
    }

    // MARK: - Reading

    public func row(_ id: Int64, of entity: Entity) throws -> RowValues? {
        // A context changes the row that it gets, so it gets a copy.
        tables.row(id, of: entity)?.copy()
    }

    public func fetch(
        _ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void
    ) throws {
        try RowQuery(request, model: model).forEach(in: tables) { id, row in
            try body(id) { row.copy() }
        }
    }

    public func ids(_ request: StoreRequest) throws -> [Int64] {
        try RowQuery(request, model: model).ids(in: tables)
    }

    public func count(_ request: StoreRequest) throws -> Int {
        try RowQuery(request, model: model).count(in: tables)
    }

    public func rows(_ query: StoreQuery) throws -> FetchedRows {
        try RowQuery.rows(query, in: tables, model: model)
    }

    public func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        FetchedRowsCursor(try tables.asSaved { try rows(query) })
    }

    public func pairs(_ link: Entity.Link, of entity: Entity, beside other: any StoreCursor) throws
        -> any StoreCursor
    {
        FetchedRowsCursor(try tables.asSaved { try allPairs(link, of: entity) })
    }

    public func explanation(of request: StoreRequest) throws -> FetchExplanation {
        try RowQuery(request, model: model).explanation()
    }

    public func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64] {
        tables.linkedIDs(link, of: id)
    }
}
