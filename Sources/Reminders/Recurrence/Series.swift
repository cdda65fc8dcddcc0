package import CivilTime

/// The times of an item that comes again: one is open, those before it are behind, the next ones come from a rule.
///
/// The first time belongs to the series whether it is one of the rule or not, and `COUNT` counts it, as RFC 5545 has
/// it. It counts a time that was passed over or skipped as well.
package struct Series: Sendable {
    package let rule: RecurrenceRule
    /// The time from which the rule counts its intervals, and whose clock it keeps.
    package private(set) var start: Timestamp
    /// The time that is open.
    package private(set) var due: Timestamp
    /// How many times lie before the open one.
    package private(set) var passed: Int
    /// The rule begins anew on the day on which a time is done.
    package let isAfterDone: Bool
    /// Whose clock on the wall is kept when the clocks change.
    private let zone: TimeZoneRules

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

    /// The series when the open time is done at `moment`; nil when it was the last.
    ///
    /// Times that have gone by meanwhile are passed over: the next one lies after `moment`.
    package func done(at moment: Timestamp) -> Series? {
        guard isAfterDone else { return skipped(at: moment) }
        if rule.stepWithinDay != nil {
            let next = rule.withoutCount.nextWithinDay(afterDone: moment, in: zone)
            return next.flatMap { moved(to: $0, passing: 1, countingFrom: $0) }
        }
        guard let day = zone.civil(at: moment)?.date, let clock = zone.civil(at: start)?.secondOfDay else {
            return nil
        }
        let restart = CivilDateTime(day, secondOfDay: clock)
        let restartMoment = zone.moment(of: restart)
        guard let next = rule.withoutCount.next(after: restartMoment, and: moment, from: restart, in: zone)
        else { return nil }
        // A start that the clocks leave out on that day would move the hour for good.
        let isKept = zone.civil(at: restartMoment) == restart
        return moved(to: next.due, passing: 1, countingFrom: isKept ? restartMoment : next.due)
    }

    /// The series when the open time is left out at `moment`; nil when it was the last.
    package func skipped(at moment: Timestamp) -> Series? {
        // Counted from when it is done there are no times between.
        let rule = isAfterDone ? rule.withoutCount : rule
        guard let next = rule.next(after: due, and: moment, from: start, in: zone) else { return nil }
        return moved(to: next.due, passing: next.passed, countingFrom: start)
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
