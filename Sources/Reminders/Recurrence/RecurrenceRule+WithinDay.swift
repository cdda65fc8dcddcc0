internal import CivilTime

extension RecurrenceRule {
    /// The name of the rule part outside RFC 5545: the hours in which an item repeats.
    static let windowKey = "X-BETWEEN"

    /// The interval of an hourly or minutely rule in seconds, or `nil` for a rule of days.
    package var stepWithinDay: Int? {
        let interval = max(1, value(of: "INTERVAL").flatMap { Int($0) } ?? 1)
        switch value(of: "FREQ") {
        case "HOURLY": return interval * 3_600
        case "MINUTELY": return interval * 60
        default: return nil
        }
    }

    /// The hours of each day in which the item repeats, or `nil` if it repeats at all hours.
    package var window: DayWindow? { value(of: Self.windowKey).flatMap { DayWindow(text: $0) } }

    /// Returns the rule with these hours instead of its own, or without hours if `window` is `nil`.
    package func between(_ window: DayWindow?) throws(RecurrenceError) -> RecurrenceRule {
        let parts = text.split(separator: ";").filter { !$0.hasPrefix(Self.windowKey + "=") }
        let added = window.map { ["\(Self.windowKey)=\($0.text)"] } ?? []
        return try RecurrenceRule((parts.map(String.init) + added).joined(separator: ";"))
    }

    // MARK: - Its first time

    /// Returns the first time of an item for which the user gives no due time, or `nil` if there is none.
    ///
    /// If the rule has hours of the day, this is the next time in them, counted from their beginning. If it names hours
    /// or minutes, this is the next time that has them. Otherwise it is one interval after `now`.
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

    /// Returns the first time of an hourly or minutely rule that names hours or minutes, counted from midnight.
    private func firstAtNamedTime(
        after now: Timestamp, _ today: CivilDate, in zone: TimeZoneRules
    ) -> Timestamp? {
        let midnight = CivilDateTime(today, secondOfDay: 0)
        let keepsInterval = value(of: "FREQ") == "MINUTELY" && value(of: "BYMINUTE") == nil
        let counted = keepsInterval ? next(after: now, and: now, from: midnight, in: zone) : nil
        return (counted ?? withoutInterval.next(after: now, and: now, from: midnight, in: zone))?.due
    }

    /// Returns the next time of an item that was completed at `moment` and repeats one interval later.
    ///
    /// If the hours of the rule are over by then, this is the beginning of the next ones.
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
        // Without a count, past times are not counted.
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
    /// Returns the first moment after `moment` at which the clock shows one of the times, or `nil` if there is none.
    ///
    /// A time that the clocks skip is at the same moment as without the change, unless another time comes before it. An
    /// hour that the clocks repeat has its times twice if the interval is at most an hour, and once otherwise.
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
            // A later time can come earlier only after a time that the clocks skip.
            if shown == next { break }
        }
        return found
    }

    /// Returns the first time, up to `next`, in an hour that the clocks repeat, or `nil` if `next` comes before any
    /// such time.
    private func repeatedMoment(
        of next: CivilDateTime, after start: Timestamp, _ now: CivilDateTime, _ times: TimesWithinDay
    ) -> Timestamp? {
        let distance = next.secondsSince1970 - now.secondsSince1970
        let direct = start + Double(distance)
        let first = moment(of: next)
        // The clocks do not change up to `direct`, or show `next` there for the second time.
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
