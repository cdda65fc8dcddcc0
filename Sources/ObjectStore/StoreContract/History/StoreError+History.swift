extension StoreError {
    /// Returns the error for a request of the history of a store that does not record it.
    package static func noHistory(_ store: any PersistentStore) -> StoreError {
        StoreError(
            .noHistory, "the store does not record its history; open it with its history", path: store.name)
    }

    /// Returns the error for the beginning of a history in a store that is only read.
    package static func noHistoryToRead(_ store: any PersistentStore) -> StoreError {
        StoreError(
            .noHistory, "the store does not record its history; open it once for writing with its history",
            path: store.name)
    }

    /// Returns the error for a token of another store.
    package static func tokenOfOtherStore(_ token: HistoryToken, _ store: any PersistentStore) -> StoreError {
        StoreError(.historyLost, "the token \(token) is of another store", path: store.name)
    }

    /// Returns the error for a token whose transaction the history does not have.
    ///
    /// - Parameter purged: The number of the last purged transaction.
    package static func transactionLost(
        of token: HistoryToken, purgedTo purged: Int64, _ store: any PersistentStore
    ) -> StoreError {
        let reason =
            token.number <= purged
            ? "the transactions up to \(purged) were purged"
            : "the store was restored from a backup, or its history was begun again"
        return StoreError(
            .historyLost,
            "the history does not have the transaction \(token.number) of the token: \(reason); "
                + "read all objects, and continue with the last token",
            path: store.name)
    }
}
