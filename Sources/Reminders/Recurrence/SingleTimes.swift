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

    /// Whether the rule's own due time for an occurrence does not apply.
    func isTaken(_ time: Timestamp) -> Bool { excluded.contains(time) || changed[time] != nil }
}

extension Series {
    /// Whether the rule itself has a time.
    private func hasTime(_ time: Timestamp) -> Bool {
        time == start || rule.next(after: time - 1, and: time - 1, from: start, in: zone)?.due == time
    }

    /// Returns the series after the open time is skipped at `moment`, or `nil` if it was the last one.
    ///
    /// Occurrences are in the order of their times of the rule, also those with other due times. `COUNT` includes the
    /// excluded times and does not include the added ones, as in RFC 5545.
    func skippedAmongSingleTimes(at moment: Timestamp) -> Series? {
        let open = single.time(ofDue: due)
        // The open time counts as passed from now on, unless the rule does not have it.
        let own = single.added.contains(open) && !hasTime(open) ? 0 : 1
        var next: (time: Timestamp, due: Timestamp, passing: Int)?
        var time = open
        var counted = own - 1
        while let later = rule.next(after: time, and: max(moment, time), from: start, in: zone) {
            counted += later.passed
            time = later.due
            if let limit = rule.count, passed + counted >= limit { break }
            guard single.isTaken(time) else {
                next = (time, time, counted)
                break
            }
        }
        let added = single.added.filter { !single.isTaken($0) }.map { (time: $0, due: $0) }
        let changed = single.changed.compactMap { time, due in due.map { (time: time, due: $0) } }
        let other = (added + changed).filter { $0.time > open && $0.due > moment }.min { $0.time < $1.time }
        if let other, next.map({ other.time < $0.time }) ?? true {
            let later = rule.next(after: open, and: max(open, other.time - 1), from: start, in: zone)
            next = (other.time, other.due, own - 1 + (later?.passed ?? 1))
        }
        // Without a count, each move passes one time.
        return next.map { moved(to: $0.due, passing: rule.count == nil ? 1 : $0.passing) }
    }
}
