/// A choice of transactions in a history: those with changes of an object or an entity, or those of an author.
///
///     try coordinator.history(after: token, matching: HistoryFilter(of: Book.self, author: "sync"))
///
/// A transaction is chosen if it satisfies everything that is not `nil`. Of its changes, only those of the object and the
/// entity are returned. A migration may change every object, so it is chosen unless the filter names an author.
public struct HistoryFilter: Hashable, Sendable {
    /// The object whose changes are wanted, or `nil` for all objects.
    public var object: ObjectID?
    /// The name of the entity whose changes are wanted, or `nil` for all entities.
    public var entity: String?
    /// The author of the transactions, or `nil` for all authors.
    public var author: String?

    /// Creates a filter. Without arguments, it chooses all transactions.
    ///
    /// - Parameters:
    ///   - object: The object whose changes are wanted.
    ///   - entity: The name of the entity whose changes are wanted.
    ///   - author: The author of the transactions.
    public init(object: ObjectID? = nil, entity: String? = nil, author: String? = nil) {
        self.object = object
        self.entity = entity
        self.author = author
    }

    /// Whether only some changes of a transaction are wanted.
    var isForSomeChanges: Bool { object != nil || entity != nil }

    /// Whether no change can satisfy the filter, which then chooses no transaction.
    var isContradictory: Bool { object.map { entity ?? $0.entity != $0.entity } ?? false }

    /// Returns a transaction with the wanted changes, or `nil` if it is not chosen.
    ///
    /// The object IDs in the transaction do not name the store.
    func chosen(_ transaction: HistoryTransaction) -> HistoryTransaction? {
        if let author, transaction.author != author { return nil }
        guard isForSomeChanges else { return transaction }
        guard !isContradictory else { return nil }
        let changes = transaction.changes.filter { change in
            (entity ?? change.object.entity) == change.object.entity
                && object.map { $0.id == change.object.id && $0.entity == change.object.entity } ?? true
        }
        guard transaction.isMigration || !changes.isEmpty else { return nil }
        return HistoryTransaction(
            token: transaction.token, time: transaction.time, author: transaction.author,
            contextName: transaction.contextName, isMigration: transaction.isMigration, changes: changes)
    }
}

extension HistoryRecording {
    /// Returns the chosen transactions after a token, or all of them, in the order in which they were saved.
    ///
    /// This implementation reads a few transactions at a time.
    public func history(
        after token: HistoryToken?, limit: Int?, matching filter: HistoryFilter
    ) throws -> [HistoryTransaction] {
        let transactionsAtOnce = 100
        var found: [HistoryTransaction] = []
        var last = token
        while true {
            let read = try history(after: last, limit: transactionsAtOnce)
            for transaction in read where limit.map({ found.count < $0 }) ?? true {
                if let chosen = filter.chosen(transaction) { found.append(chosen) }
            }
            guard let end = read.last, limit.map({ found.count < $0 }) ?? true else { return found }
            last = end.token
        }
    }
}
