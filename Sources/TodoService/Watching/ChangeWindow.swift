internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The changes between two positions of a feed, with one change for each item.
///
/// It depends on the transactions only, and not on the present items. So a client that has received a part of the
/// changes can get the others after a restart.
struct ChangeWindow {
    /// The property with which a tag counts as renamed.
    static let tagName = "name"
    /// The number of transactions that are read into one window.
    private static let transactionsAtOnce = 500
    /// The number of transactions that are in memory at once.
    private static let transactionsInMemory = 20

    /// The position before the changes.
    let start: HistoryToken
    /// The position after the changes.
    private(set) var end: HistoryToken
    /// The time of the last change.
    private(set) var moment = Timestamp(secondsSince1970: 0)
    /// The number of changes. Each change of an item is one, and so is every other event.
    private(set) var count = 0
    private var events: [(event: Watch.Event, ids: [Int64])] = []

    /// Reads the next changes, or returns `nil` if there are none.
    ///
    /// - Parameters:
    ///   - start: the position before the changes.
    ///   - last: the number of the last transaction, or `nil` for all until now.
    ///   - isWhole: whether all transactions until the last one are read, however many.
    init?(
        of feed: any ChangeFeed, after start: HistoryToken, through last: Int64? = nil, isWhole: Bool = false
    ) throws {
        self.start = start
        end = start
        var changes = Changes()
        var remaining = isWhole ? Int.max : Self.transactionsAtOnce
        reading: while remaining > 0 {
            let limit = min(remaining, Self.transactionsInMemory)
            let transactions = try feed.transactions(after: end, limit: limit)
            for transaction in transactions {
                if let last, transaction.number > last { break reading }
                changes.append(transaction)
                end = transaction.token
                moment = transaction.time
                if changes.areMany {
                    // A client that lists the items needs no earlier change.
                    end = try feed.last()
                    break reading
                }
            }
            if transactions.count < limit { break }
            remaining -= transactions.count
        }
        guard end != start else { return nil }
        events = changes.events
        count = events.reduce(0) { $0 + max(1, $1.ids.count) }
    }

    /// Returns the event at a position among the changes, with its IDs from there on.
    func event(at position: Int) -> (event: Watch.Event, ids: ArraySlice<Int64>)? {
        var position = position
        for (event, ids) in events {
            let count = max(1, ids.count)
            if position < count { return (event, ids.dropFirst(position)) }
            position -= count
        }
        return nil
    }
}

extension ChangeWindow {
    /// The changes of several transactions.
    private struct Changes {
        private var items: [Int64: HistoryChange.Kind] = [:]
        private var haveCategoriesChanged = false
        private var haveTagsChanged = false
        private var mayAllHaveChanged = false

        /// Whether the client should list the items again.
        var areMany: Bool { mayAllHaveChanged || items.count >= Watch.changesLimit }

        mutating func append(_ transaction: HistoryTransaction) {
            if transaction.isMigration { mayAllHaveChanged = true }
            for change in transaction.changes {
                switch change.object.entity {
                case ToDo.entityName:
                    let id = change.object.id
                    items[id] = Self.sum(of: items[id], followedBy: change.kind)
                case Category.entityName: haveCategoriesChanged = true
                case Tag.entityName:
                    if change.kind != .updated || change.properties.contains(ChangeWindow.tagName) {
                        haveTagsChanged = true
                    }
                default: break
                }
            }
        }

        /// Returns the change that two changes of an item amount to, or `nil` for none.
        private static func sum(
            of first: HistoryChange.Kind?, followedBy second: HistoryChange.Kind
        ) -> HistoryChange.Kind? {
            switch (first, second) {
            case (nil, _): second
            case (.inserted, .deleted): nil
            case (.inserted, _): .inserted
            // An undo inserts a deleted item again.
            case (.deleted, .inserted), (.updated, .inserted): .updated
            case (.updated, _), (.deleted, _): second
            }
        }

        /// The events in the order in which a client gets them.
        var events: [(event: Watch.Event, ids: [Int64])] {
            if areMany { return [(.many, [])] }
            var events: [(event: Watch.Event, ids: [Int64])] = []
            let kinds: [(HistoryChange.Kind, Watch.Event)] = [
                (.inserted, .added), (.updated, .changed), (.deleted, .deleted),
            ]
            for (kind, event) in kinds {
                let ids = items.filter { $0.value == kind }.keys.sorted()
                if !ids.isEmpty { events.append((event, ids)) }
            }
            if haveCategoriesChanged { events.append((.categories, [])) }
            if haveTagsChanged { events.append((.tags, [])) }
            return events
        }
    }
}
