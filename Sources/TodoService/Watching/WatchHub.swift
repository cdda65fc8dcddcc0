internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Reports to all watchers the changes that are saved, once they are on disk, and the alerts that are sent.
final class WatchHub {
    private struct Member {
        weak var watcher: Watcher?
    }

    private var members: [Member] = []
    private var observation: ObservationToken?

    init(_ coordinator: PersistentStoreCoordinator) {
        observation = coordinator.observeSaves { [weak self] in self?.notify($0) }
    }

    /// The number of current watchers.
    var count: Int { members.count { $0.watcher != nil } }

    func add(_ watcher: Watcher) {
        members.removeAll { $0.watcher == nil }
        members.append(Member(watcher: watcher))
    }

    func notify(_ batch: AlertBatch) {
        let kinds = Dictionary(grouping: batch.alerts, by: \.kind)
        for (kind, alerts) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            notify(.alert, alerts.map(\.itemID), alert: kind.rawValue)
        }
    }

    private func notify(_ changes: SavedChanges) {
        guard !members.isEmpty else { return }
        let events: [(Watch.Event, [ObjectID])] = [
            (.added, changes.inserted), (.changed, changes.updated), (.deleted, changes.deleted),
        ]
        let (item, category) = (ToDo.entityName, Category.entityName)
        for (event, objects) in events {
            let ids = objects.filter { $0.entity == item }.map(\.id)
            if ids.count >= Watch.pendingLimit {
                notify(.many, [])
            } else if !ids.isEmpty {
                notify(event, ids)
            }
        }
        if events.contains(where: { $0.1.contains { $0.entity == category } }) { notify(.categories, []) }
        let tags = events.flatMap(\.1).filter { $0.entity == Tag.entityName }.map(\.id)
        if !tags.isEmpty { notify(.tags, tags) }
    }

    private func notify(_ event: Watch.Event, _ ids: [Int64], alert: String? = nil) {
        for member in members { member.watcher?.notify(event, ids, alert: alert) }
    }
}
