package import ObjectStore

/// A store as a program outside the library could implement it. It passes every call on to a working store,
/// and fails where a test requests it. It records the reads.
package final class BrokenStore: PersistentStore {
    package struct Failure: Error {}

    /// A read of several rows, or of the pairs of one object.
    package enum Read: Equatable {
        case rows(Int, of: String, columns: [String])
        case pairs(Int)

        package var rowCount: Int { if case .rows(let count, _, _) = self { count } else { 0 } }
    }

    private let inner: any PersistentStore
    package var failsToCommit = false
    package var failsToRead = false
    /// The number of outermost transactions that were committed.
    package private(set) var commits = 0
    package private(set) var applied: [StoreChanges] = []
    package var reads: [Read] = []

    package init(_ inner: any PersistentStore) {
        self.inner = inner
    }

    private func read<Result>(_ body: () throws -> Result) throws -> Result {
        if failsToRead { throw Failure() }
        return try body()
    }

    package var metadata: StoreMetadata { inner.metadata }
    package var transactionDepth: Int { inner.transactionDepth }

    package func setMetadataEntries(_ entries: [String: String]) throws {
        try inner.setMetadataEntries(entries)
    }
    package func largestID(of entity: Entity) throws -> Int64 { try inner.largestID(of: entity) }
    package func begin() throws { try inner.begin() }

    package func commit() throws {
        if inner.transactionDepth == 1 {
            if failsToCommit { throw Failure() }
            commits += 1
        }
        try inner.commit()
    }

    package func rollback() { inner.rollback() }

    package func apply(_ changes: StoreChanges) throws {
        applied.append(changes)
        try inner.apply(changes)
    }

    package func danglingReference() throws -> String? { try inner.danglingReference() }

    package func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        try inner.update(request, set: values)
    }

    package func delete(_ request: StoreRequest) throws -> StoreDeletion { try inner.delete(request) }

    package func row(_ id: Int64, of entity: Entity) throws -> RowValues? {
        try read { try inner.row(id, of: entity) }
    }

    package func fetch(_ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void) throws
    {
        var count = 0
        try read {
            try inner.fetch(request) { id, values in
                count += 1
                let row = try values()
                try body(id) { row }
            }
        }
        reads.append(.rows(count, of: request.entity.name, columns: request.entity.columns.map(\.name)))
    }

    package func ids(_ request: StoreRequest) throws -> [Int64] { try read { try inner.ids(request) } }
    package func count(_ request: StoreRequest) throws -> Int { try read { try inner.count(request) } }
    package func rows(_ query: StoreQuery) throws -> FetchedRows {
        let rows = try read { try inner.rows(query) }
        reads.append(
            .rows(rows.count, of: query.request.entity.name, columns: query.columns.map(\.name)))
        return rows
    }
    package func cursor(_ query: StoreQuery) throws -> any StoreCursor { try inner.cursor(query) }
    package func explanation(of request: StoreRequest) throws -> FetchExplanation {
        try inner.explanation(of: request)
    }

    package func linkedIDs(_ link: Entity.Link, of id: Int64) throws -> [Int64] {
        let ids = try read { try inner.linkedIDs(link, of: id) }
        reads.append(.pairs(ids.count))
        return ids
    }

    package func close() { inner.close() }
}
