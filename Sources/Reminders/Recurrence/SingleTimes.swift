internal import CivilTime

/// The occurrences of a repeating item that its rule alone does not describe, as its rule counts time.
struct SingleTimes: Hashable, Sendable {
    /// The times of the rule at which the item has no occurrence.
    var excluded: Set<Timestamp> = []
    /// The times of occurrences that the rule does not have.
    var added: Set<Timestamp> = []
    /// The due times of changed occurrences, by the times of the rule. A cancelled or completed occurrence has none.
    var changed: [Timestamp: Timestamp?] = [:]

    var isEmpty: Bool { excluded.isEmpty && added.isEmpty && changed.isEmpty }

    /// Returns the time of the rule of the occurrence that is due at `due`.
    func time(ofDue due: Timestamp) -> Timestamp {
        changed.filter { $0.value == due }.keys.min() ?? due
    }

    /// Returns the due time of the occurrence at a time of the rule, or `nil` if there is none.
    func due(at time: Timestamp) -> Timestamp? {
        if let due = changed[time] { return due }
        return excluded.contains(time) ? nil : time
    }

    /// Whether an occurrence that is added or changed is due after the first moment and before the second one.
    func hasDue(between first: Timestamp, and second: Timestamp) -> Bool {
        let isBetween = { (due: Timestamp) in first < due && due < second }
        return added.contains { isBetween($0) && !isTaken($0) }
            || changed.values.contains { $0.map(isBetween) ?? false }
    }

    /// Whether the rule's own due time for an occurrence does not apply.
    func isTaken(_ time: Timestamp) -> Bool { excluded.contains(time) || changed[time] != nil }
}

extension Series {
    /// An occurrence: its time of the rule, and its due time.
    private struct Occurrence {
        let time: Timestamp
        let due: Timestamp
    }

    /// Returns the series after the open time is skipped at `moment`, or `nil` if it was the last one.
    ///
    /// Occurrences are in the order of their due times, so that one that was moved hides no other. Of several with the same
    /// due time, one is open. `COUNT` includes the excluded times and does not include the added ones, as in RFC 5545.
    func skippedAmongSingleTimes(at moment: Timestamp) -> Series? {
        let last = max(due, moment)
        return moved(to: first(of: times(after: last).filter { $0.due > last }))
    }

    /// Returns the series at its first occurrence, or `nil` if it has none.
    func atFirstAmongSingleTimes() -> Series? {
        let isOwn = !single.isTaken(start)
        return moved(
            to: first(of: times(after: start) + (isOwn ? [Occurrence(time: start, due: start)] : [])))
    }

    private func first(of occurrences: [Occurrence]) -> Occurrence? {
        occurrences.min { ($0.due, $0.time) < ($1.due, $1.time) }
    }

    private func moved(to next: Occurrence?) -> Series? {
        guard let next else { return nil }
        // Without a count, each move passes one time.
        return moved(to: next.due, passing: rule.count == nil ? 1 : distance(to: next.time))
    }

    /// Returns the occurrences that are added or changed, and the first other one of the rule after `last`.
    private func times(after last: Timestamp) -> [Occurrence] {
        let added = single.added.filter { !single.isTaken($0) }.map { Occurrence(time: $0, due: $0) }
        let changed = single.changed.compactMap { time, due in
            due.flatMap { isCounted(time) ? Occurrence(time: time, due: $0) : nil }
        }
        var time = last
        while let later = rule.next(after: time, and: time, from: start, in: zone)?.due, isCounted(later) {
            time = later
            if !single.isTaken(time) { return added + changed + [Occurrence(time: time, due: time)] }
        }
        return added + changed
    }

    /// Whether `COUNT` has not ended the series before a time.
    private func isCounted(_ time: Timestamp) -> Bool {
        guard let limit = rule.count, hasTime(time) else { return true }
        return passed + distance(to: time) < limit
    }

    /// Whether the rule itself has a time.
    private func hasTime(_ time: Timestamp) -> Bool {
        time == start || rule.next(after: time - 1, and: time - 1, from: start, in: zone)?.due == time
    }

    /// Returns the number of times of the rule from the open one up to a time, or the negative number if that is earlier.
    private func distance(to time: Timestamp) -> Int {
        let open = single.time(ofDue: due)
        return open <= time ? count(from: open, to: time) : -count(from: time, to: open)
    }

    /// Returns the number of times of a rule with a count from `first` to the last one before `end`.
    private func count(from first: Timestamp, to end: Timestamp) -> Int {
        guard first < end else { return 0 }
        let own = hasTime(first) ? 1 : 0
        // The search ends when it has passed as many times as the rule has.
        guard let later = rule.next(after: first, and: max(first, end - 1), from: start, in: zone) else {
            return rule.count ?? own
        }
        return own + later.passed - 1
    }
}
