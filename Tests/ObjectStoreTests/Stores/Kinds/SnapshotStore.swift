import ObjectStore

extension StoreKind {
    /// A kind that only opens stores. They are in memory, and each of them is empty when it is opened.
    static let snapshot = StoreKind("snapshot", opening: { _, model in SnapshotStore(model: model) })
}

/// A store as a program outside the library could implement it. Its contents are one value, and a transaction
/// keeps the value from its beginning.
final class SnapshotStore: PersistentStore, RowSource {
    private struct Pair: Hashable {
        let link: Int
        let owner: Int64
        let other: Int64
    }

    private struct Contents {
        var rows: [[Int64: RowValues]]
        var pairs: Set<Pair> = []
        var largestIDs: [Int64]
        var entries: [String: String] = [:]
    }

    private let model: ManagedObjectModel
    private let identifier = UUIDValue()
    private var contents: Contents
    private var levels: [Contents] = []
    /// The number of calls that read objects or pairs. A database would execute a statement for each.
    private(set) var reads = 0
    private var isReading = false

    init(model: ManagedObjectModel) {
        self.model = model
        contents = Contents(
            rows: model.entities.map { _ in [:] }, largestIDs: model.entities.map { _ in 0 })
    }

    var metadata: StoreMetadata {
        StoreMetadata(
            identifier: identifier, versionHash: model.versionHash,
            versionIdentifiers: model.versionIdentifiers, entries: contents.entries)
    }

    func setMetadataEntries(_ entries: [String: String]) { contents.entries = entries }

    func largestID(of entity: Entity) -> Int64 { contents.largestIDs[entity.index] }

    // MARK: - Transactions

    var transactionDepth: Int { levels.count }

    func begin() { levels.append(contents) }

    func commit() { levels.removeLast() }

    func rollback() {
        if let before = levels.popLast() { contents = before }
    }

    func apply(_ changes: StoreChanges) throws {
        for row in changes.rows { try apply(row) }
        for pair in changes.pairs {
            let member = Pair(link: pair.link, owner: pair.ownerID, other: pair.otherID)
            if pair.isAdded { contents.pairs.insert(member) } else { contents.pairs.remove(member) }
        }
    }

    private func apply(_ change: StoreChanges.Row) throws {
        let index = change.entity.index
        let old = contents.rows[index][change.id]
        switch change.kind {
        case .insert:
            guard old == nil else { throw StoreError(.other, "there is one already") }
            contents.rows[index][change.id] = .make(
                (0..<change.values.count).map { change.values[$0].normalized })
            contents.largestIDs[index] = max(contents.largestIDs[index], change.id)
        case .update:
            guard let old else { throw StoreError(.other, "there is none") }
            let values = (0..<old.count).map { change.isChanged($0) ? change.values[$0].normalized : old[$0] }
            contents.rows[index][change.id] = .make(values)
        case .delete:
            contents.rows[index][change.id] = nil
        }
    }

    func danglingReference() -> String? {
        for entity in model.entities {
            for (id, row) in contents.rows[entity.index] {
                for (column, description) in entity.columns.enumerated() {
                    guard case .toOne(let relationship) = description.content,
                        case .integer(let target) = row[column]
                    else { continue }
                    if contents.rows[relationship.destinationIndex][target] == nil {
                        return "\(entity.name) \(id)"
                    }
                }
            }
        }
        return nil
    }

    func update(_ request: StoreRequest, set values: [Int: AttributeValue]) throws -> [Int64] {
        try BulkChanges(model: model, store: self).update(request, set: values)
    }

    func delete(_ request: StoreRequest) throws -> StoreDeletion {
        try BulkChanges(model: model, store: self).delete(request)
    }

    // MARK: - Reading

    /// Counts a call, but not the calls that it makes itself.
    private func reading<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard !isReading else { return try body() }
        reads += 1
        isReading = true
        defer { isReading = false }
        return try body()
    }

    func row(_ id: Int64, of entity: Entity) -> RowValues? {
        reading { contents.rows[entity.index][id].map { row in .make((0..<row.count).map { row[$0] }) } }
    }

    func forEachRow(of entity: Entity, _ body: (Int64, RowValues) throws -> Bool) rethrows {
        for (id, row) in contents.rows[entity.index].sorted(by: { $0.key < $1.key }) {
            guard try body(id, row) else { return }
        }
    }

    func linkedIDs(_ link: Entity.Link, of id: Int64) -> [Int64] {
        reading {
            let pairs = contents.pairs.filter {
                $0.link == link.index && (link.isOwner ? $0.owner : $0.other) == id
            }
            return pairs.map { link.isOwner ? $0.other : $0.owner }.sorted()
        }
    }

    func forEachPair(_ link: Entity.Link, of ids: [Int64], _ body: (Int64, Int64) -> Void) {
        reading {
            for id in ids {
                for far in linkedIDs(link, of: id) { body(id, far) }
            }
        }
    }

    func fetch(_ request: StoreRequest, _ body: (Int64, () throws -> RowValues) throws -> Void) throws {
        try reading {
            try RowQuery(request, model: model).forEach(in: self) { id, row in
                try body(id) { .make((0..<row.count).map { row[$0] }) }
            }
        }
    }

    func ids(_ request: StoreRequest) throws -> [Int64] {
        try reading { try RowQuery(request, model: model).ids(in: self) }
    }

    func count(_ request: StoreRequest) throws -> Int { try RowQuery(request, model: model).count(in: self) }

    func rows(_ query: StoreQuery) throws -> FetchedRows { try RowQuery.rows(query, in: self, model: model) }

    func cursor(_ query: StoreQuery) throws -> any StoreCursor {
        let now = contents
        contents = levels.first ?? now
        defer { contents = now }
        return FetchedRowsCursor(try rows(query))
    }

    func explanation(of request: StoreRequest) throws -> FetchExplanation {
        try RowQuery(request, model: model).explanation()
    }

    func close() {}
}
