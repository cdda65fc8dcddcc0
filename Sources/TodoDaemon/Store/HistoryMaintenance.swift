internal import Alerts
internal import CivilTime
internal import ObjectStore
internal import Systemd
internal import TodoAPI

/// Removes old changes from the history of the store, a few in each minute.
///
/// Confined to the daemon's queue.
final class HistoryMaintenance {
    /// The number of changes that are removed at once, which takes some milliseconds.
    private static let changesAtOnce = 20_000
    /// The time between two searches for old changes.
    private static let seconds = 3_600.0

    private let coordinator: PersistentStoreCoordinator
    private let log: Log
    private let now: @Sendable () -> Timestamp
    /// The time from which on the next search is due.
    private var nextSearch: Timestamp?
    private var hasReportedFailure = false

    init(of coordinator: PersistentStoreCoordinator, log: Log, now: @escaping @Sendable () -> Timestamp) {
        self.coordinator = coordinator
        self.log = log
        self.now = now
    }

    /// Removes some of the changes that exceed the limits, after the minute check.
    ///
    /// A failure is logged once. The next call tries again.
    func purge() {
        let now = now()
        // A clock that was set back does not delay the search.
        if let nextSearch, now < nextSearch, nextSearch - now <= Self.seconds { return }
        guard !coordinator.hasBackgroundWriter else { return }
        do {
            let isMore = try coordinator.purgeHistory(
                before: now - Double(Watch.historyDaysLimit) * 86_400, keeping: Watch.historyChangesLimit,
                limit: Self.changesAtOnce)
            nextSearch = isMore ? nil : now + Self.seconds
            hasReportedFailure = false
        } catch let error as StoreError where error.code == .noHistory || error.code == .locked {
            // There is nothing to remove, or another program writes.
        } catch {
            guard !hasReportedFailure else { return }
            hasReportedFailure = true
            log.write(.warning, "Cannot remove old changes from the history of the store: \(error)")
        }
    }
}
