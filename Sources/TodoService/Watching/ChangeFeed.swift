internal import ObjectStore
internal import TodoAPI

/// The saved changes of a store, as numbered transactions in their order.
///
/// Confined to the daemon's queue.
protocol ChangeFeed: AnyObject {
    /// Whether a token of the feed can be used after a restart.
    var isPersistent: Bool { get }

    /// Throws `NoHistory` if a token cannot be used after a restart.
    func requirePersistence() throws

    /// Returns the token of the last transaction.
    func last() throws -> HistoryToken

    /// Returns the transactions after a token.
    ///
    /// - Throws: `TooSlow`, or a `StoreError` of the code `historyLost`, if some of them are no longer kept.
    func transactions(after token: HistoryToken, limit: Int) throws -> [HistoryTransaction]

    /// Checks the token of a client.
    ///
    /// - Throws: `TokenTooOld`, `TokenNotFound` or `NoHistory`.
    func requireTransaction(of token: HistoryToken) throws

    /// Adds the changes of a save that is on disk.
    func record(_ changes: SavedChanges)
}

extension APIError {
    /// The error for a watcher that has not read its replies.
    static var watcherTooSlow: APIError {
        .tooSlow(reason: "too many changes were not read; list the items and watch again")
    }
}
