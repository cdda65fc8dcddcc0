internal import CivilTime

extension RecurrenceRule {
    /// The part of a rule that is not of RFC 5545: the hours in which an item repeats.
    static let windowKey = "X-BETWEEN"

    /// The seconds between two times of an hourly or minutely rule; `nil` for a rule of days.
    package var stepWithinDay: Int? {
        let interval = max(1, value(of: "INTERVAL").flatMap { Int($0) } ?? 1)
        switch value(of: "FREQ") {
        case "HOURLY": return interval * 3_600
        case "MINUTELY": return interval * 60
        default: return nil
        }
    }

    /// The hours of each day in which the item repeats; `nil` if it repeats at all hours.
    package var window: DayWindow? { value(of: Self.windowKey).flatMap { DayWindow(text: $0) } }

    /// The rule with these hours instead of its own; `nil` takes them away.
    package func between(_ window: DayWindow?) throws(RecurrenceError) -> RecurrenceRule {
        let parts = text.split(separator: ";").filter { !$0.hasPrefix(Self.windowKey + "=") }
        let added = window.map { ["\(Self.windowKey)=\($0.text)"] } ?? []
        return try RecurrenceRule((parts.map(String.init) + added).joined(separator: ";"))
    }

    // MARK: - Its first time

    /// The first time of an item for which no due time was typed: the next one in the hours of the rule, counted from their
    /// beginning, the next one in the hours and minutes that its parts name, or else one interval from now.
    func firstWithinDay(after now: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        guard let step = stepWithinDay, let civil = zone.civil(at: now) else { return nil }
        guard let window else {
            if namesTime { return firstAtNamedTime(after: now, civil.date, in: zone) }
            let minute = now - Double(civil.second) - now.secondsSince1970.truncatingRemainder(dividingBy: 1)
            return first(from: minute + Double(step), in: zone)
        }
        guard let day = civil.date.adding(days: -1) else { return nil }
        return next(after: now, and: now, from: CivilDateTime(day, secondOfDay: window.first), in: zone)?.due
    }

    /// The first time of an hourly or minutely rule that names hours or minutes, counted from midnight.
    private func firstAtNamedTime(
        after now: Timestamp, _ today: CivilDate, in zone: TimeZoneRules
    ) -> Timestamp? {
        let midnight = CivilDateTime(today, secondOfDay: 0)
        let keepsInterval = value(of: "FREQ") == "MINUTELY" && value(of: "BYMINUTE") == nil
        let counted = keepsInterval ? next(after: now, and: now, from: midnight, in: zone) : nil
        return (counted ?? withoutInterval.next(after: now, and: now, from: midnight, in: zone))?.due
    }

    /// The next time of an item that was done at `moment` and repeats an interval later: it waits for the beginning of the
    /// hours of the rule if they are over by then.
    func nextWithinDay(afterDone moment: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        guard let step = stepWithinDay, let civil = zone.civil(at: moment) else { return nil }
        let minute =
            moment - Double(civil.second) - moment.secondsSince1970.truncatingRemainder(dividingBy: 1)
        let earliest = minute + Double(step)
        guard let clock = zone.civil(at: earliest) else { return nil }
        guard let window, !window.contains(secondOfDay: clock.secondOfDay) else {
            return first(from: earliest, in: zone)
        }
        guard let day = clock.date.adding(days: -1) else { return nil }
        let begin = CivilDateTime(day, secondOfDay: window.first)
        return next(after: earliest, and: earliest, from: begin, in: zone)?.due
    }

    // MARK: - Its times

    func next(
        _ times: TimesWithinDay, after due: Timestamp, and now: Timestamp, in zone: TimeZoneRules
    ) -> Next? {
        guard let today = zone.civil(at: max(due, now))?.date else { return nil }
        let endYear = min(today.year + Self.yearsLimit, CivilDate.years.upperBound)
        let calendarEnd = CivilDateTime(
            CivilDate(year: endYear, month: 12, day: 31) ?? .last,
            secondOfDay: CivilDateTime.secondsPerDay - 1)
        let end = min(ownEnd(in: zone) ?? calendarEnd, calendarEnd)
        var passed = 0
        // Without a count the times that have passed are not counted.
        var moment = count == nil ? max(due, now) : due
        while let next = zone.moment(after: moment, of: times, until: end) {
            passed += 1
            if next > max(due, now) { return Next(due: next, passed: count == nil ? 1 : passed) }
            if let count, passed >= count { return nil }
            moment = next
        }
        return nil
    }
}

extension TimeZoneRules {
    /// The first moment after `moment` at which the clock shows one of the times.
    ///
    /// A time that a change of the clocks leaves out is as late as it would have been, unless a later time comes before that.
    /// An hour that comes twice has its times twice if the interval is not longer than an hour, and once otherwise.
    fileprivate func moment(
        after moment: Timestamp, of times: TimesWithinDay, until end: CivilDateTime
    ) -> Timestamp? {
        let start = Timestamp(secondsSince1970: moment.secondsSince1970.rounded(.down))
        guard let now = civil(at: start) else { return nil }
        var clock = now
        var found: Timestamp?
        while let next = times.next(after: clock, through: end.date), next <= end {
            if times.step <= 3_600, let repeated = repeatedMoment(of: next, after: start, now, times) {
                return repeated
            }
            clock = next
            let candidate = self.moment(of: next)
            guard candidate > moment, let shown = civil(at: candidate), times.areOpen(at: shown) else {
                continue
            }
            found = min(found ?? candidate, candidate)
            // Only after a time that the clock leaves out can a later one come earlier.
            if shown == next { break }
        }
        return found
    }

    /// The first time of an hour that comes for the second time, not after `next`; `nil` if `next` comes before any.
    private func repeatedMoment(
        of next: CivilDateTime, after start: Timestamp, _ now: CivilDateTime, _ times: TimesWithinDay
    ) -> Timestamp? {
        let distance = next.secondsSince1970 - now.secondsSince1970
        let direct = start + Double(distance)
        let first = moment(of: next)
        // After as much time as the clock is to go on it shows `next`, for the second time if it did so before.
        if civil(at: direct) == next { return first < direct ? direct : nil }
        // The clocks go back between the two.
        let limit = min(max(first, direct), start + 3 * 3_600)
        var time = start + Double((times.second - now.second + 60) % 60)
        while time < limit {
            if time > start, let clock = civil(at: time), times.contains(clock) { return time }
            time = time + 60
        }
        return nil
    }
}
