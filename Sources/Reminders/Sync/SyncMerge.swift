/// The merge of the changes of an item and of its task on the server since both agreed.
package struct SyncMerge {
    /// The item with the changes of both sides.
    package private(set) var item: ExchangeItem
    /// The task of the server.
    package let task: SyncTask
    /// The groups in which the item is to be sent.
    package private(set) var unsent: Set<String> = []
    /// The lines of changes that lost against others of the same properties, or `nil` if there are none.
    package private(set) var lostText: String?

    /// Returns the state of the agreement after the item is stored.
    ///
    /// - Parameters:
    ///   - stored: the item as the store has it.
    ///   - hasMovedOn: whether the item has moved to another occurrence than that of the text.
    package func state(stored: SyncState, hasMovedOn: Bool) -> SyncState {
        let moved = hasMovedOn ? stored.difference(from: task.state) : []
        return stored.replacing(unsent.union(moved), from: task.state)
    }

    /// Merges.
    ///
    /// - Parameters:
    ///   - local: the item in the store.
    ///   - base: the text of the server at the last agreement and the state of the item then, or `nil` if there was none.
    ///   - sent: the states of the item in uploads whose answers were lost. Groups in which the server has such a state
    ///     count as agreed.
    ///   - remote: the text of the server now.
    package init(
        _ local: ExchangeItem, base: (text: String, state: SyncState)?, sent: [SyncState] = [],
        remote: String, _ format: SyncFormat
    ) throws(SyncTask.Failure) {
        task = try format.task(remote)
        item = task.item
        var base = base
        var arrived: Set<String> = []
        for sent in sent {
            let changed = base.map { sent.difference(from: $0.state) } ?? sent.names.union(task.state.names)
            let equal = changed.subtracting(sent.difference(from: task.state))
            arrived.formUnion(equal)
            base = base.map { ($0.text, $0.state.replacing(equal, from: sent)) }
        }
        let state = format.state(of: local)
        let dirty = base.map { state.difference(from: $0.state) }
        // Without a former text, an item that has not changed since an upload is the older one.
        let older = base == nil ? sent.map { $0.names.subtracting($0.difference(from: state)) } : []
        if let dirty, dirty.isEmpty {
            keepDetails(of: local, here: format.groups(of: local), merged: task.groups)
            return
        }
        let here = format.groups(of: local)
        let there = task.groups
        let former = base.flatMap { try? format.task($0.text) }?.groups
        let isLocalNewer =
            switch (local.modifiedDate, task.modifiedDate) {
            case (let here?, let there?): here > there
            case (let here, nil): here != nil
            case (nil, _): false
            }
        var desired: [String: [ICalendarUnit]] = [:]
        var lost: [ICalendarUnit] = []
        var joined: [String: (here: [ICalendarUnit], there: [ICalendarUnit])] = [:]
        for name in (dirty ?? here.names.union(there.names)).sorted() {
            let keys = (here: here.keys(of: name), there: there.keys(of: name))
            if keys.here == keys.there { continue }
            let units = (here: here.units[name] ?? [], there: there.units[name] ?? [])
            if arrived.contains(name) || former.map({ $0.keys(of: name) == keys.there }) ?? false {
                desired[name] = units.here
            } else if name == ICalendarWriter.lastAcknowledgement {
                // Of two times, the later one includes the other.
                if let here = keys.here.first, keys.there.first.map({ $0 < here }) ?? true {
                    desired[name] = units.here
                }
            } else if SyncGroups.sets.contains(name) {
                let merged = Self.union(units, former: former?.keys(of: name) ?? [])
                joined[name] = units
                if merged.map(\.syncKey) != keys.there { desired[name] = merged }
            } else if former == nil, keys.here.isEmpty || keys.there.isEmpty {
                // Without a former text, a value wins against none.
                if keys.there.isEmpty { desired[name] = units.here }
            } else if isLocalNewer, !older.contains(where: { $0.contains(name) }) {
                desired[name] = units.here
                lost += Self.lost(units.there, of: name)
            } else {
                lost += Self.lost(units.here, of: name)
            }
        }
        if let merged = Self.item(remote, task, desired, format) {
            item = merged
        } else {
            // An item cannot have all values of both sides, such as two parents. The later change of the set wins.
            for (name, units) in joined {
                guard let both = desired[name], units.here.map(\.syncKey) != both.map(\.syncKey),
                    Self.item(remote, task, [name: both], format) == nil
                else { continue }
                desired[name] = isLocalNewer ? units.here : nil
                let kept = Set((isLocalNewer ? units.here : units.there).map(\.syncKey))
                lost += (isLocalNewer ? units.there : units.here).filter { !kept.contains($0.syncKey) }
            }
            // The text of the server may be unable to express the changes here. The text of the item can express those there.
            if let merged = Self.item(remote, task, desired, format) {
                item = merged
            } else {
                item = try Self.item(local, here, taking: there, besides: desired, format)
            }
        }
        unsent = Set(desired.keys)
        keepDetails(of: local, here: here, merged: format.groups(of: item))
        if !lost.isEmpty { lostText = lost.map(\.text).joined() }
    }

    /// Returns the item of the server's text with other lines for some groups, or `nil` if the text cannot express them.
    private static func item(
        _ remote: String, _ task: SyncTask, _ desired: [String: [ICalendarUnit]], _ format: SyncFormat
    ) -> ExchangeItem? {
        if desired.isEmpty { return task.item }
        return try? format.task(SyncPatch(remote, of: task, format).applying(desired)).item
    }

    /// Returns an item with the changes of the server in all groups except for those with changes here.
    private static func item(
        _ local: ExchangeItem, _ here: SyncGroups, taking there: SyncGroups,
        besides desired: [String: [ICalendarUnit]], _ format: SyncFormat
    ) throws(SyncTask.Failure) -> ExchangeItem {
        var taken = desired
        for name in here.names.union(there.names) where desired[name] == nil {
            taken[name] = there.units[name] ?? []
        }
        let text = format.text(of: local)
        let task = try format.task(text)
        let own = task.groups
        return try format.task(
            SyncPatch(text, of: task, format).applying(
                taken.filter { own.keys(of: $0.key) != $0.value.map(\.syncKey) })
        ).item
    }

    /// Returns the lines of a value that lost, or the line for none.
    private static func lost(_ units: [ICalendarUnit], of name: String) -> [ICalendarUnit] {
        guard units.isEmpty else { return units }
        var text = ICalendarText()
        text.line("\(SyncGroups.removal):\(name)")
        return [ICalendarUnit(name: SyncGroups.removal, text: text.text)]
    }

    /// Returns the values of two sets: those that both have, and those that only one has added.
    private static func union(
        _ units: (here: [ICalendarUnit], there: [ICalendarUnit]), former: [String]
    ) -> [ICalendarUnit] {
        let (here, there) = units
        let keys = (here: Set(here.map(\.syncKey)), there: Set(there.map(\.syncKey)), former: Set(former))
        return there.filter { keys.here.contains($0.syncKey) || !keys.former.contains($0.syncKey) }
            + here.filter { !keys.there.contains($0.syncKey) && !keys.former.contains($0.syncKey) }
    }

    /// Keeps the exact values of the item where the text means the same.
    ///
    /// A text has no fractions of a second, and counts a rule from the open occurrence.
    private mutating func keepDetails(
        of local: ExchangeItem, here: SyncGroups, merged: SyncGroups
    ) {
        let isSame = { (name: String) in here.keys(of: name) == merged.keys(of: name) }
        if isSame(SyncGroups.times), isSame(SyncGroups.changedTimes) { item.copyTimes(from: local) }
        if isSame("STATUS") {
            (item.isCompleted, item.completedDate, item.percent, item.isCancelled) =
                (local.isCompleted, local.completedDate, local.percent, local.isCancelled)
        }
        if isSame(ICalendarWriter.snoozeTime) { item.snoozedUntil = local.snoozedUntil }
        item.category = local.category
        item.createdDate = local.createdDate ?? item.createdDate
        item.history = local.history
        if item.parent == local.parent { item.position = local.position }
        item.missing = []
    }
}

extension ExchangeItem {
    /// Copies all times and the rule.
    fileprivate mutating func copyTimes(from item: ExchangeItem) {
        (due, localDue, start, localStart) = (item.due, item.localDue, item.start, item.localStart)
        (recurrence, recurrenceStart, timeZone) = (item.recurrence, item.recurrenceStart, item.timeZone)
        (occurrencesDone, isAfterDone) = (item.occurrencesDone, item.isAfterDone)
        (excludedDates, addedDates, occurrences) = (item.excludedDates, item.addedDates, item.occurrences)
    }
}
