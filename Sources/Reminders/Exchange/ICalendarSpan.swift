internal import CivilTime

// Rules of tasks that start before they are due.

extension RecurrenceRule {
    /// Returns the rule of the due times of a task, made from the rule of its start times (DTSTART).
    ///
    /// The result is `nil` if no rule has these times.
    ///
    /// - Parameters:
    ///   - start: the first start, in the task's local time.
    ///   - due: the due time that belongs to it.
    func delayed(from start: CivilDateTime, to due: CivilDateTime, in zone: TimeZoneRules) -> RecurrenceRule?
    {
        guard start < due else { return self }
        let days = due.date.daysSince1970 - start.date.daysSince1970
        var parts = text.split(separator: ";").map(String.init)
        if stepWithinDay != nil {
            guard !namesDaysOrTimes else { return nil }
        } else if namesTime {
            guard timesOfDay(defaultTime: start.secondOfDay) == [start.secondOfDay - start.second] else {
                return nil
            }
            // The rule names the time of the start only.
            parts.removeAll { $0.hasPrefix("BYHOUR=") || $0.hasPrefix("BYMINUTE=") }
        }
        if days > 0, stepWithinDay == nil {
            guard let delayed = Self.delayed(parts, of: self, by: days, start: start.date, due: due.date)
            else { return nil }
            parts = delayed
        }
        let rule = RecurrenceRule(checked: parts.joined(separator: ";"))
        guard let last = ownEnd(in: zone) else { return rule }
        let end = last.secondsSince1970 + due.secondsSince1970 - start.secondsSince1970
        return CivilDateTime(secondsSince1970: end).flatMap {
            try? rule.withoutUntil.ending(at: zone.moment(of: $0))
        }
    }

    /// Returns the parts of a rule with all its days moved later, or `nil` if no rule has these days.
    private static func delayed(
        _ parts: [String], of rule: RecurrenceRule, by days: Int, start: CivilDate, due: CivilDate
    ) -> [String]? {
        let names = Set(
            parts.filter { $0.hasPrefix("BY") }.compactMap { $0.split(separator: "=").first.map(String.init) }
        )
        let replaced = { (key: String, value: String) in
            parts.map { $0.hasPrefix(key + "=") ? "\(key)=\(value)" : $0 }
        }
        switch rule.value(of: "FREQ") {
        case "DAILY" where names.isEmpty, "WEEKLY" where names.isEmpty: return parts
        case "WEEKLY" where names == ["BYDAY"]:
            let codes = rule.value(of: "BYDAY")?.split(separator: ",") ?? []
            let weekdays = codes.compactMap { code in Weekday.allCases.first { $0.code == code }?.rawValue }
            // With an interval, the days must stay in the same week.
            let isEveryWeek = rule.value(of: "INTERVAL") == nil
            guard weekdays.count == codes.count,
                isEveryWeek || rule.value(of: "WKST") == nil && weekdays.allSatisfy({ $0 + days < 7 })
            else { return nil }
            let later = weekdays.map { ($0 + days) % 7 }.sorted().map { Weekday.allCases[$0].code }
            return replaced("BYDAY", later.joined(separator: ","))
        case "MONTHLY" where names == ["BYMONTHDAY"] && rule.numbers(of: "BYMONTHDAY").allSatisfy({ $0 < 0 }):
            return delayed(rule.numbers(of: "BYMONTHDAY"), by: days, start: start, due: due).map {
                replaced("BYMONTHDAY", $0.map(String.init).joined(separator: ","))
            }
        case "MONTHLY", "YEARLY":
            // Not all months have the days after the 28th.
            guard start.month == due.month, start.year == due.year, due.day <= 28 else { return nil }
            if names.isEmpty { return parts }
            let named = rule.numbers(of: "BYMONTHDAY")
            guard names.isSubset(of: ["BYMONTHDAY", "BYMONTH"]), !named.isEmpty,
                named.allSatisfy({ $0 > 0 && $0 + days <= 28 })
            else { return nil }
            return replaced("BYMONTHDAY", named.map { String($0 + days) }.joined(separator: ","))
        default: return nil
        }
    }

    /// Returns days that are counted from the end of a month, moved later, or `nil` if they are not in the same month.
    private static func delayed(
        _ days: [Int], by distance: Int, start: CivilDate, due: CivilDate
    ) -> [Int]? {
        let months = (due.year - start.year) * 12 + due.month - start.month
        // Not all months have the days before the 28th from the end.
        guard days.allSatisfy({ $0 >= -28 }) else { return nil }
        if months == 0, days.allSatisfy({ $0 + distance < 0 }) { return days.map { $0 + distance } }
        // The last day is followed by the first day of the next month.
        guard months == 1, days.allSatisfy({ (0..<28).contains($0 + distance) }) else { return nil }
        return days.map { $0 + distance + 1 }
    }
}
