internal import CLibical
package import CivilTime
internal import Glibc

extension RecurrenceRule {
    /// The next time of a repeating item.
    package struct Next: Hashable, Sendable {
        package let due: Timestamp
        /// The number of times of the rule after the last due time, up to and including this one.
        ///
        /// It is counted only for a rule with a `COUNT`. For other rules it is 1.
        package let passed: Int
    }

    /// Returns the first time of the rule after both `due` and `now`, or `nil` if there is none.
    ///
    /// Times are local times in `zone`: an item that is due at 9:00 is still due at 9:00 after the clocks change.
    /// `UNTIL` ends the search. `COUNT` does not, because an item that is completed late passes over some times. The
    /// caller must add up `passed`.
    ///
    /// - Parameters:
    ///   - due: the current due time of the item.
    ///   - start: the first time of the item, from which the rule counts its intervals.
    package func next(
        after due: Timestamp, and now: Timestamp, from start: Timestamp, in zone: TimeZoneRules
    ) -> Next? {
        zone.civil(at: start).flatMap { next(after: due, and: now, from: $0, in: zone) }
    }

    /// Returns the local time from which a rule within the day counts if its first time is `first`.
    ///
    /// In an hour that the clocks repeat, times before `first` on the clock come after it. The count then begins before
    /// that hour.
    private func startOfCount(_ first: CivilDateTime, in zone: TimeZoneRules) -> CivilDateTime {
        guard let step = stepWithinDay, step <= 3_600, window == nil, zone.moments(of: first).count > 1 else {
            return first
        }
        let steps = (3_600 + step - 1) / step
        return CivilDateTime(secondsSince1970: first.secondsSince1970 - steps * step) ?? first
    }

    /// Returns the first time of the rule after both `due` and `now`, counted from a local time.
    ///
    /// A change of the clocks may have skipped the local time `first`.
    ///
    /// - Parameter search: the search for the times. It starts only if the rule names a day that exists.
    func next(
        after due: Timestamp, and now: Timestamp, from first: CivilDateTime, in zone: TimeZoneRules,
        search: some RuleSearch = LibicalSearch()
    ) -> Next? {
        if let times = TimesWithinDay(self, from: startOfCount(first, in: zone)) {
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
    /// libical uses times without a zone, so changes of the clocks are handled in one place only.
    private func forEachTime(
        from start: CivilDateTime, near: CivilDateTime, yearsAfter year: Int, _ zone: TimeZoneRules,
        _ search: some RuleSearch, _ body: (CivilDateTime) -> Bool
    ) {
        let endYear = min(year + Self.yearsLimit, CivilDate.years.upperBound)
        let end = CivilDateTime(
            CivilDate(year: endYear, month: 12, day: 31) ?? .last,
            secondOfDay: CivilDateTime.secondsPerDay - 1)
        // Starts a day before, because in an hour that the clocks repeat one local time has two moments.
        let near = near.date.adding(days: -1).map { CivilDateTime($0, secondOfDay: 0) } ?? start
        guard hasTimes(from: start, near: near, until: end, search) else { return }
        search.forEachTime(of: text, from: start, near: near, until: min(end, ownEnd(in: zone) ?? end), body)
    }

    /// Whether the rule names a day that exists, in a month or year with enough of them for its `BYSETPOS`.
    ///
    /// libical searches thousands of years for a day that does not exist, so `RuleDays` searches first. The times of
    /// the day and the position are removed here, because with them libical would search even longer. The rule's end is
    /// removed, too, because it can be in the middle of a month.
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

    /// Returns the local time of `UNTIL`, or `nil` if there is none.
    ///
    /// A date without a time includes that day.
    func ownEnd(in zone: TimeZoneRules) -> CivilDateTime? {
        guard let text = value(of: "UNTIL") else { return nil }
        let time = icaltime_from_string(String(text))
        guard let civil = CivilDateTime(time) else { return nil }
        if time.is_date != 0 { return CivilDateTime(civil.date, secondOfDay: 86_399) }
        return icaltime_is_utc(time) != 0
            ? zone.civil(at: Timestamp(secondsSince1970: Double(civil.secondsSince1970))) : civil
    }

    /// Returns the rule as libical writes it, with sorted lists.
    ///
    /// - Throws: an error that names the first part that libical does not accept.
    static func canonical(_ rule: Substring, _ parts: [Part]) throws(RecurrenceError) -> String {
        if let text = canonical(String(rule)) { return withSortedLists(text) }
        for part in parts
        where canonical("FREQ=YEARLY;\(part.key)=\(part.value)") == nil && part.key != "FREQ" {
            throw RecurrenceError(reason: "\(part.key)=\(part.value) is not valid in a rule")
        }
        throw RecurrenceError(reason: "'\(rule)' is not a rule of RFC 5545")
    }

    /// Returns the rule with sorted lists without duplicates.
    ///
    /// This does not change the times of the rule, so equal rules have equal texts.
    private static func withSortedLists(_ text: String) -> String {
        let parts = text.split(separator: ";").map { part in
            let sides = part.split(separator: "=", maxSplits: 1)
            guard sides.count == 2, sides[0].hasPrefix("BY"), sides[1].contains(",") else { return part }
            return sides[0] + "=" + sorted(sides[1].split(separator: ",")).joined(separator: ",")
        }
        return parts.joined(separator: ";")
    }

    /// Returns the values of a list in order, such as `MO,1FR,-1SU` or `1,15,-1`.
    ///
    /// Values that count from the end are last. A list with any other value, such as a leap month, is returned
    /// unchanged.
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
    /// Calls `body` with the times of the rule `text` in order, until it returns `false`.
    ///
    /// The times are counted from `start`, and range from the day of `near` to `until`.
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

    /// Adds all months to a rule such as `FREQ=YEARLY;BYMONTHDAY=1`, the first day of every month.
    ///
    /// libical reads the rule correctly only if the months are named.
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
