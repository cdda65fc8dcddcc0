internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Changes of items that are made from several places: by a method, and by a button of an alert.
struct ItemEditor {
    private let service: ServiceContext

    init(_ service: ServiceContext) { self.service = service }

    private var times: TypedTimes { service.times }

    /// Completes items with their subtasks, or moves repeating items to their next occurrence.
    func complete(_ ids: [Int64]) throws -> CompleteItems.Reply {
        let requested = Set(ids)
        var unblocked = UnblockedItems()
        let (changes, also) = try changeTrees(ids, CompleteItems.name) { item in
            // The change of an item above includes the subtask.
            if item.completed
                || item.ancestors.contains(where: { requested.contains($0.id) && !$0.completed })
            {
                return []
            }
            let below = try item.completeWithSubtasks(at: times.now(), in: times.zone)
            try unblocked.add(([item] + below).filter(\.completed))
            return below
        } beforeSave: {
            try unblocked.end()
        }
        return CompleteItems.Reply(changes, also: also, unblocked: unblocked.ids)
    }

    /// Marks completed items as open, with the completed items above them. An item that is open already is an error, which
    /// says how to undo its last change.
    func reopen(_ ids: [Int64]) throws -> ItemList {
        var opened: Set<ToDo> = []
        let (changes, also) = try changeTrees(ids, ReopenItems.name) { item in
            guard item.completed || opened.contains(item) else {
                throw refusal(
                    item,
                    item.recurrence == nil
                        ? "is open already"
                        : "is open and repeats: 'done' and 'skip' move it to its next time. To undo the last change, "
                            + "run 'todoctl undo'; to choose the time, run 'todoctl edit \(item.id) --due TIME'"
                )
            }
            let above = item.ancestors.filter(\.completed)
            for completed in [item] + above where completed.completed {
                try completed.reopen()
                opened.insert(completed)
            }
            return above
        }
        return ItemList(items: changes.items, also: also)
    }

    /// Moves repeating items with their subtasks to their next occurrence.
    func skip(_ ids: [Int64]) throws -> ItemList {
        let (changes, also) = try changeTrees(ids, SkipItems.name) { item in
            guard !item.completed else { throw refusal(item, "is done; reopen it before it is skipped") }
            guard item.schedule.repeats else {
                throw refusal(item, "does not repeat; complete it, or change its due time")
            }
            guard let below = try item.skipWithSubtasks(at: times.now(), in: times.zone) else {
                throw refusal(item, "is at its last time; complete or delete it")
            }
            return below
        }
        return ItemList(items: changes.items, also: also)
    }

    private func refusal(_ item: ToDo, _ reason: String) -> APIError {
        .invalidValue(field: "ids", reason: "item \(item.id) \(reason)")
    }

    /// Snoozes the items: the next alert is sent at `end`, and none before that.
    ///
    /// - Parameter end: the end of the snooze, or `nil` to end it now.
    func snooze(_ ids: [Int64], until end: Timestamp?) throws -> ItemChanges {
        try change(ids, SnoozeItems.name) { item in
            guard end == nil || !item.completed else {
                throw refusal(item, "is done; reopen it before it is snoozed")
            }
            item.snoozedUntil = end
            if end != nil { item.acknowledge() }
        }
    }

    func mute(_ ids: [Int64], isMuted: Bool) throws -> ItemChanges {
        try change(ids, MuteItems.name) { $0.doNotAlert = isMuted }
    }

    /// Changes all these items or none, and closes their visible alerts.
    func change(
        _ ids: [Int64], _ method: String, _ body: (ToDo) throws -> Void
    ) throws -> ItemChanges {
        try changeTrees(ids, method) { item in
            try body(item)
            return []
        }.changes
    }

    /// Changes all these items or none, together with the items that `body` returns.
    ///
    /// - Parameter beforeSave: reads what the reply needs. A read that fails after the save would report an error for a
    ///   change that was made.
    /// - Returns: the items, and the IDs of the others, or `nil` if there are none.
    private func changeTrees(
        _ ids: [Int64], _ method: String, _ body: (ToDo) throws -> [ToDo], beforeSave: () throws -> Void = {}
    ) throws -> (changes: ItemChanges, also: [Int64]?) {
        var unchanged: [Int64] = []
        var others: Set<Int64> = []
        let items = try service.changes.change(method) {
            let items = try service.store.items(ids)
            for item in items {
                try service.changes.checkCancelled()
                others.formUnion(try body(item).map(\.id))
                // A read that fails after the save would report an error for a change that was made.
                _ = Item(item, times.zone)
            }
            try beforeSave()
            try service.store.requireRoomForReply(with: items)
            let withOtherParts = try service.store.context.itemsOfChangedParts()
            unchanged = items.filter { !$0.isUpdated && !withOtherParts.contains($0) }.map(\.id)
            return items
        }
        others.subtract(ids)
        service.events.closeAlerts(of: items.map(\.id) + others)
        // The next alert times are known only after the save.
        let changes = ItemChanges(
            items: items.map { Item($0, times.zone) }, unchanged: unchanged.isEmpty ? nil : unchanged)
        return (changes, others.isEmpty ? nil : others.sorted())
    }
}
