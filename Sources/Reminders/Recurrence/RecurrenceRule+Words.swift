package import CivilTime

extension RecurrenceRule {
    /// Returns the rule in words, such as `every 2 weeks on Mon and Wed, 10 times`.
    ///
    /// If there are no short words for the rule, this is its text. Words that are typed in the same zone are read as
    /// the same rule.
    ///
    /// - Parameters:
    ///   - due: a time of the item. It shows whether shorter months lack the day on which `every month` repeats.
    ///   - zone: the time zone of the item.
    package func words(due: Timestamp?, in zone: @autoclosure () -> TimeZoneRules) -> String {
        guard let every, let on, let times, !isUnspokenSkip(due, zone) else { return text }
        return every + on + times + (window.map { ", \($0.words)" } ?? "") + end(zone)
    }

    /// Whether the rule treats months without its day differently from the words.
    ///
    /// In words, `31st` and `29 feb` mean the last day of a shorter month.
    private func isUnspokenSkip(_ due: Timestamp?, _ zone: () -> TimeZoneRules) -> Bool {
        guard let frequency = value(of: "FREQ"), ["MONTHLY", "YEARLY"].contains(frequency),
            value(of: "BYDAY") == nil
        else { return false }
        let days: [Int]
        if value(of: "BYMONTHDAY") != nil {
            days = numbers(of: "BYMONTHDAY")
            // Such a day is refused if it is typed.
            if frequency == "YEARLY", let day = days.last, let month = numbers(of: "BYMONTH").first,
                day > CivilDate.days(inMonth: month, of: 2000)
            {
                return true
            }
            if frequency == "YEARLY", numbers(of: "BYMONTH") != [2] { return false }
        } else {
            guard value(of: "SKIP") != "BACKWARD", let due, let date = zone().civil(at: due)?.date else {
                return false
            }
            if frequency == "YEARLY", date.month != 2 { return false }
            days = [date.day]
        }
        return (days.last ?? 0) > 28 && value(of: "SKIP") != "BACKWARD" || value(of: "SKIP") == "FORWARD"
    }

    private var every: String? {
        let units = [
            "MINUTELY": "minute", "HOURLY": "hour", "DAILY": "day", "WEEKLY": "week", "MONTHLY": "month",
            "YEARLY": "year",
        ]
        guard let unit = value(of: "FREQ").flatMap({ units[String($0)] }) else { return nil }
        let interval = value(of: "INTERVAL").flatMap { Int($0) } ?? 1
        return interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
    }

    /// The words for the days that the rule names.
    ///
    /// They are empty if there are none, and `nil` if there are no short words for them.
    private var on: String? {
        let spoken = [
            "RSCALE", "FREQ", "INTERVAL", "SKIP", "COUNT", "UNTIL", "BYHOUR", "BYMINUTE", Self.windowKey,
        ]
        var parts: [String: Substring] = [:]
        for part in text.split(separator: ";") {
            let sides = part.split(separator: "=", maxSplits: 1)
            if sides.count == 2, !spoken.contains(String(sides[0])) { parts[String(sides[0])] = sides[1] }
        }
        let keys = parts.keys.sorted()
        let days = parts["BYDAY"] ?? ""
        switch (value(of: "FREQ"), keys) {
        case (_, []): return ""
        case ("WEEKLY", ["BYDAY"]), ("HOURLY", ["BYDAY"]), ("MINUTELY", ["BYDAY"]):
            if days == Self.workdays { return " from Mon to Fri" }
            return Self.list(days.split(separator: ",").map(Self.weekday)).map { " on \($0)" }
        case ("MONTHLY", ["BYDAY"]):
            return Self.positions(days).map { " on the \($0)" }
        case ("MONTHLY", ["BYDAY", "BYSETPOS"]) where days == Self.workdays:
            return parts["BYSETPOS"].flatMap { Self.positions[String($0)] }.map { " on the \($0) weekday" }
        case ("MONTHLY", ["BYMONTHDAY"]):
            let days = parts["BYMONTHDAY"] ?? ""
            if days == "-1" { return " on its last day" }
            return Self.list(days.split(separator: ",").map(Self.ordinal)).map { " on the \($0)" }
        case ("YEARLY", ["BYDAY", "BYMONTH"]):
            guard let month = Self.month(parts["BYMONTH"]), let days = Self.positions(days) else {
                return nil
            }
            return " on the \(days) of \(month)"
        case ("YEARLY", ["BYMONTH", "BYMONTHDAY"]):
            guard let month = Self.month(parts["BYMONTH"]),
                let day = parts["BYMONTHDAY"].flatMap({ Int($0) }),
                day > 0
            else { return nil }
            return " on \(day) \(month)"
        default: return nil
        }
    }

    /// The words for several times of day that the rule names.
    ///
    /// They are empty if there are none, and `nil` if there are no short words for them.
    private var times: String? {
        guard namesTime else { return "" }
        guard stepWithinDay == nil, value(of: "BYHOUR") != nil, value(of: "BYMINUTE") != nil else {
            return nil
        }
        let times = timesOfDay(defaultTime: 0)
        // In words, a single time is the item's due time and not part of the rule.
        guard times.count > 1 else { return nil }
        return Self.list(times.map(RecurrencePhrase.clock)).map { " at \($0)" }
    }

    private func end(_ zone: () -> TimeZoneRules) -> String {
        if let count { return count == 1 ? ", once" : ", \(count) times" }
        guard value(of: "UNTIL") != nil, let last = ownEnd(in: zone()) else { return "" }
        // The text of a civil time begins with the date, `2026-12-01`.
        let day = last.text.prefix(10)
        let isEndOfDay = last.secondOfDay == CivilDateTime.secondsPerDay - 1
        return ", until \(day)" + (isEndOfDay ? "" : " \(RecurrencePhrase.clock(last.secondOfDay))")
    }

    private static let positions = [
        "1": "first", "2": "second", "3": "third", "4": "fourth", "5": "fifth", "-1": "last",
    ]
    private static let workdays = Weekday.workdays.map(\.code).joined(separator: ",")

    /// Returns `first and third Mon` for `1MO,3MO`, or `nil` for several weekdays.
    private static func positions(_ days: Substring) -> String? {
        let days = days.split(separator: ",")
        guard let weekday = days.first?.suffix(2), days.allSatisfy({ $0.hasSuffix(weekday) }),
            let name = Self.weekday(weekday)
        else { return nil }
        return list(days.map { positions[String($0.dropLast(2))] }).map { "\($0) \(name)" }
    }

    /// Returns `Dec` for `12`, or `nil` for several months.
    private static func month(_ text: Substring?) -> String? {
        guard let number = text.flatMap({ Int($0) }), (1...12).contains(number) else { return nil }
        return TimeInWords.monthNames[number - 1]
    }

    private static func weekday(_ code: Substring) -> String? {
        Weekday.allCases.first { $0.code == code }?.shortName
    }

    private static func ordinal(_ day: Substring) -> String? {
        guard let number = Int(day), number > 0 else { return nil }
        switch (number % 10, number / 10) {
        case (1, 0), (1, 2), (1, 3): return "\(number)st"
        case (2, 0), (2, 2): return "\(number)nd"
        case (3, 0), (3, 2): return "\(number)rd"
        default: return "\(number)th"
        }
    }

    /// Returns `Mon, Wed and Fri`, or `nil` if one of the names is missing.
    private static func list(_ names: [String?]) -> String? {
        let known = names.compactMap(\.self)
        guard known.count == names.count, let last = known.last else { return nil }
        return known.count == 1 ? last : known.dropLast().joined(separator: ", ") + " and " + last
    }
}
