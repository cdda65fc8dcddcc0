public import CivilTime

/// A store that can record each save as a numbered transaction, in the same commit as the changes themselves.
public protocol HistoryRecording: PersistentStore {
    /// Whether the store records its saves.
    var recordsHistory: Bool { get }

    /// Begins to record the history in a transaction of its own, unless the store does so already. The default
    /// implementation throws a ``StoreError`` of the code `noHistory`.
    func beginHistory() throws

    /// Records a save in the open transaction.
    func record(_ save: HistoryRecord) throws

    /// Returns the transactions after a token, or all of them, in the order in which they were saved.
    ///
    /// Object IDs in the result do not name the store.
    ///
    /// - Parameters:
    ///   - token: The token of a transaction, or `nil` for the beginning of the recorded history.
    ///   - limit: The maximum number of transactions, or `nil` for all.
    /// - Throws: A ``StoreError``. Its code is `historyLost` if the store does not have the transaction of the token.
    func history(after token: HistoryToken?, limit: Int?) throws -> [HistoryTransaction]

    /// Returns the transactions after a token, or all of them, that a filter chooses, with the changes that it chooses.
    ///
    /// The default implementation reads all transactions, a few at a time.
    ///
    /// - Parameters:
    ///   - token: The token of a transaction, or `nil` for the beginning of the recorded history.
    ///   - limit: The maximum number of transactions, or `nil` for all.
    ///   - filter: The filter. Its object is one of this store.
    /// - Throws: A ``StoreError``, as without a filter.
    func history(
        after token: HistoryToken?, limit: Int?, matching filter: HistoryFilter
    ) throws -> [HistoryTransaction]

    /// Returns the token of the last transaction, or that of the beginning of the history.
    func lastHistoryToken() throws -> HistoryToken

    /// The number of times that the store may have lost saves that it had confirmed. A database server can lose them in a
    /// crash or a failover, and use their numbers again.
    ///
    /// The default is 0, which does not change.
    var lossCount: Int { get }

    /// Returns the transactions after a number that other programs saved, or `nil` if some of them may have been purged.
    ///
    /// - Returns: The transactions, and the number of the last transaction, also of this program.
    func savesOfOthers(after number: Int64) throws -> (transactions: [HistoryTransaction], last: Int64)?

    /// Returns the last transaction with a change of an object that another program saved, or `nil` if the last change
    /// is one of this program. Only the description of the transaction is needed, and not its changes.
    func lastSaveByOthers(of object: ObjectID) throws -> HistoryTransaction?

    /// Removes the transactions before that of a token, in the open transaction.
    func purgeHistory(before token: HistoryToken) throws

    /// Removes the transactions that were saved before a time, in the open transaction. The last of them is kept, so
    /// that its token remains valid.
    func purgeHistory(before time: Timestamp) throws

    /// Removes a limited number of old changes, in the open transaction. The last transaction is kept.
    ///
    /// The default implementation removes all transactions before the time.
    ///
    /// - Parameters:
    ///   - time: Transactions that were saved before it are removed.
    ///   - kept: The number of changes that are kept at most, also after the time.
    ///   - limit: The number of changes to remove. One transaction is removed in any case.
    /// - Returns: Whether there is more to remove.
    func purgeHistory(before time: Timestamp, keeping kept: Int, limit: Int) throws -> Bool

    /// Ends the history and removes it, in the open transaction.
    func discardHistory() throws
}

extension HistoryRecording {
    public var lossCount: Int { 0 }

    /// Throws, unless the store records its history already.
    public func beginHistory() throws {
        guard !recordsHistory else { return }
        throw StoreError(.noHistory, "the store cannot begin a history", path: name)
    }

    /// Removes all transactions that were saved before a time.
    public func purgeHistory(before time: Timestamp, keeping kept: Int, limit: Int) throws -> Bool {
        try purgeHistory(before: time)
        return false
    }
}

/// A store that several programs can have open for writing at the same time.
public protocol SharedStore: HistoryRecording {
    /// Whether other programs may have the store open for writing.
    var isShared: Bool { get }

    /// Reserves IDs of an entity that are larger than a number and that no object has or had. No other program gets them.
    func reserveIDs(of entity: Entity, count: Int64, above number: Int64) throws -> ClosedRange<Int64>
}
