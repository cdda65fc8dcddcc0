internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Reports to all watchers the changes that are saved, once they are on disk, and the alerts that are sent.
final class WatchHub {
    private struct Member {
        weak var watcher: Watcher?
    }

    /// The changes of the store.
    let feed: any ChangeFeed
    private var members: [Member] = []
    private var observation: ObservationToken?
    /// The changes that were read last. Watchers that read everything need the same ones.
    private var latest: ChangeWindow?

    init(_ coordinator: PersistentStoreCoordinator, feed: any ChangeFeed) {
        self.feed = feed
        observation = coordinator.observeSaves { [weak self] in self?.notify($0) }
    }

    /// The number of current watchers.
    var count: Int { members.count { $0.watcher != nil } }

    func add(_ watcher: Watcher) {
        members.removeAll { $0.watcher == nil }
        members.append(Member(watcher: watcher))
    }

    /// Returns the next changes after a position, up to a transaction, or `nil` if there are none.
    func changes(after position: HistoryToken, through last: Int64?) throws -> ChangeWindow? {
        if let latest, latest.start == position, latest.end.number <= last ?? .max { return latest }
        latest = try ChangeWindow(of: feed, after: position, through: last)
        return latest
    }

    func notify(_ batch: AlertBatch) {
        guard !members.isEmpty else { return }
        // A watcher gets an alert after the changes that were saved before it.
        let number = (try? feed.last())?.number ?? 0
        let kinds = Dictionary(grouping: batch.alerts, by: \.kind)
        for (kind, alerts) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            let ids = alerts.map(\.itemID)
            for member in members { member.watcher?.notify(kind, of: ids, after: number) }
        }
    }

    private func notify(_ changes: SavedChanges) {
        feed.record(changes)
        for member in members { member.watcher?.resume() }
    }
}
