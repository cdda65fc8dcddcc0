internal import CLibical
package import CivilTime
internal import Glibc

extension RecurrenceRule {
    /// The next time of a repeating item.
    package struct Next: Hashable, Sendable {
        package let due: Timestamp
        /// The number of times of the rule after the last due time, up to this one. They are counted for a rule with a `COUNT`
        /// only; without one this is 1.
        package let passed: Int
    }

    /// The first time of the rule after both `due` and `now`, or `nil` if there is none.
    ///
    /// The clock on the wall of `zone` counts: an item that is due at 9:00 stays so when the clocks change. `UNTIL` ends the
    /// search. `COUNT` does not, because an item that is done late passes over some of its times: the caller adds up `passed`.
    ///
    /// - Parameters:
    ///   - due: the time the item has now.
    ///   - start: its first time, from which the rule counts its intervals.
    package func next(
        after due: Timestamp, and now: Timestamp, from start: Timestamp, in zone: TimeZoneRules
    ) -> Next? {
        zone.civil(at: start).flatMap { next(after: due, and: now, from: $0, in: zone) }
    }

    /// The same, counted from a time on the wall, which a change of the clocks may have left out.
    ///
    /// - Parameter search: the search for a rule that names a day; it is not started for any other.
    func next(
        after due: Timestamp, and now: Timestamp, from first: CivilDateTime, in zone: TimeZoneRules,
        search: some RuleSearch = LibicalSearch()
    ) -> Next? {
        if let times = TimesWithinDay(self, from: first) {
            return next(times, after: due, and: now, in: zone)
        }
        guard let last = zone.civil(at: max(due, now)) else { return nil }
        var passed = 0
        var next: Timestamp?
        let count = count
        // Without a count the times before the last one are not needed.
        let near = count == nil ? last : zone.civil(at: due) ?? first
        forEachTime(from: first, near: near, yearsAfter: last.date.year, zone, search) { civil in
            let moment = zone.moment(of: civil)
            if moment > due { passed += 1 }
            guard moment > max(due, now) else { return passed < count ?? .max }
            next = moment
            return false
        }
        return next.map { Next(due: $0, passed: count == nil ? 1 : passed) }
    }

    // MARK: - libical

    /// Calls `body` with the times of the rule in order, from about a day before `near`, until it returns `false`.
    ///
    /// libical counts in times without a zone, so changes of the clocks are handled in one place only.
    private func forEachTime(
        from start: CivilDateTime, near: CivilDateTime, yearsAfter year: Int, _ zone: TimeZoneRules,
        _ search: some RuleSearch, _ body: (CivilDateTime) -> Bool
    ) {
        let endYear = min(year + Self.yearsLimit, CivilDate.years.upperBound)
        let end = CivilDateTime(
            CivilDate(year: endYear, month: 12, day: 31) ?? .last,
            secondOfDay: CivilDateTime.secondsPerDay - 1)
        // A day before, because the hour that comes twice makes two moments of one time on the wall.
        let near = near.date.adding(days: -1).map { CivilDateTime($0, secondOfDay: 0) } ?? start
        guard hasTimes(from: start, near: near, until: end, search) else { return }
        search.forEachTime(of: text, from: start, near: near, until: min(end, ownEnd(in: zone) ?? end), body)
    }

    /// Whether the rule names a day, in a month or year that has as many of them as its `BYSETPOS` needs.
    ///
    /// libical searches thousands of years for a day that never comes, so `RuleDays` looks for one first. With the times of
    /// the day or the position among days libical would search longer still, so they are left out here. The rule's own end is
    /// left out too, because it can divide a month.
    private func hasTimes(
        from start: CivilDateTime, near: CivilDateTime, until: CivilDateTime, _ search: some RuleSearch
    ) -> Bool {
        let first = RuleDays(of: self, from: start.date).first(
            from: max(start, near).date, through: until.date)
        if first == nil { return false }
        let position = value(of: "BYSETPOS")?.split(separator: ",").compactMap { Int($0) }.map(abs).min() ?? 1
        let days = text.split(separator: ";").filter { part in
            !["BYHOUR=", "BYMINUTE=", "BYSETPOS="].contains { part.hasPrefix($0) }
        }
        let isYearly = value(of: "FREQ") == "YEARLY"
        var period: Int?
        var count = 0
        search.forEachTime(of: days.joined(separator: ";"), from: start, near: near, until: until) { civil in
            let next = isYearly ? civil.date.year : civil.date.year * 12 + civil.date.month
            count = next == period ? count + 1 : 1
            period = next
            return count < position
        }
        return count >= position
    }

    /// The time on the wall that `UNTIL` names, or `nil` if there is none. A date alone includes that day.
    func ownEnd(in zone: TimeZoneRules) -> CivilDateTime? {
        guard let text = value(of: "UNTIL") else { return nil }
        let time = icaltime_from_string(String(text))
        guard let civil = CivilDateTime(time) else { return nil }
        if time.is_date != 0 { return CivilDateTime(civil.date, secondOfDay: 86_399) }
        return icaltime_is_utc(time) != 0
            ? zone.civil(at: Timestamp(secondsSince1970: Double(civil.secondsSince1970))) : civil
    }

    /// The rule as libical writes it, with sorted lists, or an error that names the first part that libical does not know.
    static func canonical(_ rule: Substring, _ parts: [Part]) throws(RecurrenceError) -> String {
        if let text = canonical(String(rule)) { return withSortedLists(text) }
        for part in parts
        where canonical("FREQ=YEARLY;\(part.key)=\(part.value)") == nil && part.key != "FREQ" {
            throw RecurrenceError(reason: "\(part.key)=\(part.value) is nothing a rule can say")
        }
        throw RecurrenceError(reason: "'\(rule)' is no rule of RFC 5545")
    }

    /// The rule with the values of each list in order and without duplicates, which changes none of its times: equal rules have
    /// equal texts.
    private static func withSortedLists(_ text: String) -> String {
        let parts = text.split(separator: ";").map { part in
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0].hasPrefix("BY"), sides[1].contains(",") else { return part }
            return sides[0] + "=" + sorted(sides[1].split(separator: ",")).joined(separator: ",")
        }
        return parts.joined(separator: ";")
    }

    /// The values of a list in order, such as `MO,1FR,-1SU` or `1,15,-1`: those that count from the end are last. A list with
    /// another value, such as a leap month, stays as it is.
    private static func sorted(_ values: [Substring]) -> [Substring] {
        var keyed: [(key: Int, value: Substring)] = []
        for value in values {
            let weekday = Weekday.allCases.first { value.hasSuffix($0.code) }
            let digits = weekday == nil ? value : value.dropLast(2)
            guard let number = digits.isEmpty ? 0 : Int(digits) else { return values }
            let key = (number < 0 ? 1_000 + number : number) * 7 + (weekday?.rawValue ?? 0)
            if !keyed.contains(where: { $0.key == key }) { keyed.append((key, value)) }
        }
        return keyed.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func canonical(_ text: String) -> String? {
        var rule = icalrecurrencetype_from_string(text)
        defer { free(rule.rscale) }
        guard rule.freq != ICAL_NO_RECURRENCE, let written = icalrecurrencetype_as_string_r(&rule) else {
            return nil
        }
        defer { free(written) }
        return String(cString: written)
    }
}

/// A search for the times of a rule.
protocol RuleSearch {
    /// Calls `body` with the times of the rule `text`, counted from `start`, in order from the day of `near` to `until`, until it
    /// returns `false`.
    func forEachTime(
        of text: String, from start: CivilDateTime, near: CivilDateTime, until: CivilDateTime,
        _ body: (CivilDateTime) -> Bool
    )
}

struct LibicalSearch: RuleSearch {
    func forEachTime(
        of text: String, from start: CivilDateTime, near: CivilDateTime, until: CivilDateTime,
        _ body: (CivilDateTime) -> Bool
    ) {
        var rule = icalrecurrencetype_from_string(Self.withMonths(text))
        defer { free(rule.rscale) }
        rule.count = 0
        rule.until = icaltimetype(until)
        guard let iterator = icalrecur_iterator_new(rule, icaltimetype(start)) else { return }
        defer { icalrecur_iterator_free(iterator) }
        if near.date > start.date { icalrecur_iterator_set_start(iterator, icaltimetype(near)) }
        while let civil = CivilDateTime(icalrecur_iterator_next(iterator)), civil <= until, body(civil) {}
    }

    /// `FREQ=YEARLY;BYMONTHDAY=1` is the first of every month, which libical knows only when the months are named.
    private static func withMonths(_ text: String) -> String {
        let isUnnamed =
            text.contains("FREQ=YEARLY") && text.contains("BYMONTHDAY=")
            && !["BYMONTH=", "BYWEEKNO=", "BYYEARDAY="].contains(where: text.contains)
        return isUnnamed ? text + ";BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12" : text
    }
}

extension icaltimetype {
    fileprivate init(_ civil: CivilDateTime) {
        self.init()
        year = Int32(civil.date.year)
        month = Int32(civil.date.month)
        day = Int32(civil.date.day)
        hour = Int32(civil.hour)
        minute = Int32(civil.minute)
        second = Int32(civil.second)
    }
}

extension CivilDateTime {
    /// Returns `nil` for libical's null time.
    fileprivate init?(_ time: icaltimetype) {
        guard let date = CivilDate(year: Int(time.year), month: Int(time.month), day: Int(time.day)) else {
            return nil
        }
        self.init(date, hour: Int(time.hour), minute: Int(time.minute), second: Int(time.second))
    }
}
