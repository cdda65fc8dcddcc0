internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The last changes of a store without a history, in memory.
///
/// A watcher that needs older ones is too slow.
final class RecentChanges: ChangeFeed {
    private let store: ItemStore
    private let now: @Sendable () -> Timestamp
    private let identifier = UUIDValue()
    private var transactions: ArraySlice<HistoryTransaction> = []
    /// The number of the transactions and their changes.
    private var count = 0
    private var lastNumber: Int64 = 0
    /// The names of all tags.
    ///
    /// A tag counts as saved, too, when an item gets or loses it. This is only a change of the item.
    private var tagNames: [Int64: String]

    init(_ store: ItemStore, now: @escaping @Sendable () -> Timestamp) throws {
        self.store = store
        self.now = now
        tagNames = try store.tagNames()
    }

    var isPersistent: Bool { false }

    func last() -> HistoryToken { token(lastNumber) }

    private func token(_ number: Int64) -> HistoryToken {
        HistoryToken(store: identifier, number: number, writer: 0)
    }

    func transactions(after token: HistoryToken, limit: Int) throws -> [HistoryTransaction] {
        let missing = Int(lastNumber - token.number)
        guard missing <= transactions.count else { throw APIError.watcherTooSlow }
        return Array(transactions.suffix(missing).prefix(limit))
    }

    func requireTransaction(of token: HistoryToken) throws { try requirePersistence() }

    func requirePersistence() throws {
        let kind = store.configuration.kind
        let reason =
            kind == .sqlite
            ? "the history could not begin when todod started; make room on the disk, and restart todod"
            : "a store of the type \(kind) keeps no history of its changes"
        throw APIError.noHistory(reason: "\(reason); list the items, and watch without a token")
    }

    func record(_ changes: SavedChanges) {
        let kinds: [(HistoryChange.Kind, [ObjectID])] = [
            (.inserted, changes.inserted), (.updated, changes.updated), (.deleted, changes.deleted),
        ]
        let tags = kinds.flatMap(\.1).filter { $0.entity == Tag.entityName }.map(\.id)
        let changedTags = tags.isEmpty ? [] : takeNames(of: tags)
        var found: [HistoryChange] = []
        for (kind, objects) in kinds {
            for object in objects {
                switch object.entity {
                case ToDo.entityName, Category.entityName: found.append(HistoryChange(object, kind))
                case Tag.entityName where changedTags.contains(object.id):
                    found.append(HistoryChange(object, kind, properties: [ChangeWindow.tagName]))
                default: break
                }
            }
        }
        if !found.isEmpty { append(found) }
    }

    private func append(_ changes: [HistoryChange]) {
        lastNumber += 1
        // So many changes are reported as one.
        let isLarge = changes.count >= Watch.changesLimit
        transactions.append(
            HistoryTransaction(
                token: token(lastNumber), time: now(), author: nil, contextName: nil, isMigration: isLarge,
                changes: isLarge ? [] : changes))
        count += (isLarge ? 0 : changes.count) + 1
        while count > Watch.pendingLimit, let oldest = transactions.popFirst() {
            count -= oldest.changes.count + 1
        }
    }

    /// Reads the names of saved tags, and returns those of the tags that were added, renamed or deleted.
    private func takeNames(of ids: [Int64]) -> Set<Int64> {
        // If the names cannot be read, each of the tags may have another one.
        guard let names = try? store.tagNames(of: ids[...]) else { return Set(ids) }
        let changed = Set(ids.filter { tagNames[$0] != names[$0] })
        for id in changed { tagNames[id] = names[id] }
        return changed
    }
}
