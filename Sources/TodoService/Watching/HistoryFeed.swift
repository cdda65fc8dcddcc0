internal import ObjectStore
internal import TodoAPI

/// The changes in the history of a store, which has those of all connections, also from before a restart.
final class HistoryFeed: ChangeFeed {
    private let coordinator: PersistentStoreCoordinator
    private let store: UUIDValue

    /// Creates the feed of a coordinator's store, or returns `nil` if it does not record its history.
    init?(_ coordinator: PersistentStoreCoordinator) throws {
        do {
            store = try coordinator.lastHistoryToken().store
        } catch let error as StoreError where error.code == .noHistory {
            return nil
        }
        self.coordinator = coordinator
    }

    var isPersistent: Bool { true }

    func last() throws -> HistoryToken { try coordinator.lastHistoryToken(of: store) }

    func transactions(after token: HistoryToken, limit: Int) throws -> [HistoryTransaction] {
        try coordinator.history(after: token, limit: limit)
    }

    func requirePersistence() {}

    func requireTransaction(of token: HistoryToken) throws {
        guard token.store == store else {
            throw APIError.tokenNotFound(reason: "the token is of another store; \(Self.advice)")
        }
        do {
            _ = try coordinator.history(after: token, limit: 1)
        } catch let error as StoreError where error.code == .historyLost {
            let first = try coordinator.history(limit: 1).first?.number ?? 0
            throw token.number < first
                ? APIError.tokenTooOld(
                    reason: "the changes since the token are no longer kept; \(Self.advice)")
                : APIError.tokenNotFound(
                    reason:
                        "the store was restored from a copy, or begun again, after the token; \(Self.advice)")
        }
    }

    private static let advice = "list the items again, and watch from a new token"

    /// The save has recorded the changes itself.
    func record(_ changes: SavedChanges) {}
}
