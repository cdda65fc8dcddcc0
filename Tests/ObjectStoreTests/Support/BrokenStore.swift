import ObjectStore

/// A store as a program outside the library could implement it. It passes every call on to a working store,
/// and fails where a test requests it.
final class BrokenStore: PersistentStore {
    struct Failure: Error {}

    private let inner: any PersistentStore
    var failsToCommit = false
    var failsToRead = false
    /// The number of outermost transactions that were committed.
    private(set) var commits = 0
    private(set) var applied: [StoreChanges] = []

    init(_ inner: any PersistentStore) {
        self.inner = inner
    }

    private func read<Result>(_ body: () throws -> Result) throws -> Result {
        if failsToRead { throw Failure() }
        return try body()
    }

    var metadata: StoreMetadata { inner.metadata }
    var transactionDepth: Int { inner.transactionDepth }

    func setMetadataEntries(_ entries: [String: String]) throws { try inner.setMetadataEntries(entries) }
    func largestID(of entity: Entity) throws -> Int64 { try inner.largestID(of: entity) }
    func begin() throws { try inner.begin() }

    func commit() throws {
        if inner.transactionDepth == 1 {
            if failsToCommit { throw Failure() }
            commits += 1
        }
        try inner.commit()
    }

    func rollback() { inner.rollback() }

    func apply(_ changes: StoreChanges) throws {
        applied.append(changes)
        try inner.apply(changes)
    }

    func danglingReference() throws -> String? { try inner.danglingReference() }

    func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        try inner.update(request, set: values)
    }

    func delete(_ request: StoreRequest) throws -> StoreDeletion { try inner.delete(request) }

    func row(_ id: Int64, of entity: Entity) throws -> RowValues? {
        try read { try inner.row(id, of: entity) }
    }

    func fetch(_ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void) throws {
        try read { try inner.fetch(request, body) }
    }

    func ids(_ request: StoreRequest) throws -> [Int64] { try read { try inner.ids(request) } }
    func count(_ request: StoreRequest) throws -> Int { try read { try inner.count(request) } }
    func rows(_ query: StoreQuery) throws -> FetchedRows { try read { try inner.rows(query) } }
    func cursor(_ query: StoreQuery) throws -> any StoreCursor { try inner.cursor(query) }
    func explanation(of request: StoreRequest) throws -> FetchExplanation {
        try inner.explanation(of: request)
    }

    func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64] {
        try read { try inner.linkedIDs(link, of: id) }
    }

    func close() { inner.close() }
}
