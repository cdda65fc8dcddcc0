public import CivilTime

/// A store that can record each save as a numbered transaction, in the same commit as the changes themselves.
public protocol HistoryRecording: PersistentStore {
    /// Whether the store records its saves.
    var recordsHistory: Bool { get }

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

    /// Returns the token of the last transaction, or that of the beginning of the history.
    func lastHistoryToken() throws -> HistoryToken

    /// Removes the transactions before that of a token, in the open transaction.
    func purgeHistory(before token: HistoryToken) throws

    /// Removes the transactions that were saved before a time, in the open transaction. The last of them is kept, so
    /// that its token remains valid.
    func purgeHistory(before time: Timestamp) throws

    /// Ends the history and removes it, in the open transaction.
    func discardHistory() throws
}
