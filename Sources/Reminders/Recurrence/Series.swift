package import CivilTime

/// The times of a repeating item.
///
/// One time is open. Earlier ones have passed, and later ones follow from the rule. The first time is part of the
/// series even if it is not a time of the rule, and `COUNT` includes it, as in RFC 5545. `COUNT` also includes times
/// that were passed over or skipped.
package struct Series: Sendable {
    package let rule: RecurrenceRule
    /// The time from which the rule counts its intervals.
    ///
    /// Later times have the same time of day.
    package private(set) var start: Timestamp
    /// The open time, which is the due time of the item.
    package private(set) var due: Timestamp
    /// The number of times before the open one.
    package private(set) var passed: Int
    /// Whether the rule counts from the completion of the item.
    package let isAfterDone: Bool
    /// The time zone in which the times of day stay the same when the clocks change.
    let zone: TimeZoneRules
    /// The occurrences that the rule alone does not describe. A series that counts from the completion ignores them.
    var single = SingleTimes()

    package init(
        _ rule: RecurrenceRule, start: Timestamp, due: Timestamp, passed: Int = 0, isAfterDone: Bool = false,
        in zone: TimeZoneRules
    ) {
        self.rule = rule
        self.start = start
        self.due = due
        self.passed = passed
        self.isAfterDone = isAfterDone
        self.zone = zone
    }

    /// Returns the series after the open time is completed at `moment`, or `nil` if it was the last one.
    ///
    /// Times up to `moment` are passed over. If the rule names its days or times, the next time is also after the open
    /// one, which may be completed early.
    package func done(at moment: Timestamp) -> Series? {
        guard isAfterDone else { return skipped(at: moment) }
        if rule.stepWithinDay != nil {
            guard var next = rule.withoutCount.nextWithinDay(afterDone: moment, in: zone) else { return nil }
            if rule.namesDaysOrTimes, next <= due {
                let later = rule.withoutCount.next(after: due, and: moment, from: next, in: zone)
                guard let later else { return nil }
                next = later.due
            }
            return moved(to: next, passing: 1, countingFrom: next)
        }
        guard let day = zone.civil(at: moment)?.date, let clock = zone.civil(at: start)?.secondOfDay else {
            return nil
        }
        let restart = CivilDateTime(day, secondOfDay: clock)
        let restartMoment = zone.moment(of: restart)
        let last = rule.namesDaysOrTimes ? max(restartMoment, due) : restartMoment
        guard let next = rule.withoutCount.next(after: last, and: moment, from: restart, in: zone)
        else { return nil }
        // If the clocks skip the start on that day, counting from it would change the time of day for good.
        let isKept = zone.civil(at: restartMoment) == restart
        return moved(to: next.due, passing: 1, countingFrom: isKept ? restartMoment : next.due)
    }

    /// Returns the series after the open time is skipped at `moment`, or `nil` if it was the last one.
    package func skipped(at moment: Timestamp) -> Series? {
        if !isAfterDone, !single.isEmpty { return skippedAmongSingleTimes(at: moment) }
        // A rule that counts from completion has no times in between.
        let rule = isAfterDone ? rule.withoutCount : rule
        guard let next = rule.next(after: due, and: moment, from: start, in: zone) else { return nil }
        return moved(to: next.due, passing: next.passed, countingFrom: start)
    }

    /// Returns the series with an open time that a changed occurrence has, or that the rule does not have.
    func moved(to due: Timestamp, passing count: Int) -> Series {
        var series = self
        series.due = due
        series.passed += count
        return series
    }

    private func moved(to due: Timestamp, passing count: Int, countingFrom start: Timestamp) -> Series? {
        var series = self
        series.due = due
        series.start = start
        series.passed += count
        if let limit = rule.count, series.passed >= limit { return nil }
        return series
    }
}
