internal import Reminders

/// Taskwarrior's periods, such as `weekly`, `2wks`, `weekdays` or `P1M`, as recurrence rules.
enum TaskwarriorRecurrence {
    private static let names: [String: String] = [
        "hourly": "FREQ=HOURLY", "daily": "FREQ=DAILY", "weekdays": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
        "weekly": "FREQ=WEEKLY", "biweekly": "FREQ=WEEKLY;INTERVAL=2", "fortnight": "FREQ=WEEKLY;INTERVAL=2",
        // In Taskwarrior it is 14 days.
        "sennight": "FREQ=WEEKLY;INTERVAL=2",
        "monthly": months(1), "bimonthly": months(2), "quarterly": months(3), "semiannual": months(6),
        "annual": years(1), "yearly": years(1), "biannual": years(2), "biyearly": years(2),
    ]

    /// The period of the days from Monday to Friday.
    static let weekdays = "weekdays"

    /// Returns the period of a rule, such as `2w` or `weekdays`, or `nil` if there is none.
    ///
    /// - Parameter isShortDay: whether every month has the day of the rule, so that a month without it does not matter.
    static func period(of rule: RecurrenceRule, isShortDay: Bool) -> String? {
        if rule == self.rule(weekdays) { return weekdays }
        let interval = rule.text.split(separator: ";").first { $0.hasPrefix("INTERVAL=") }
        let count = interval.map { String($0.dropFirst(9)) } ?? "1"
        for (unit, frequency) in [("d", "DAILY"), ("w", "WEEKLY"), ("m", "MONTHLY"), ("y", "YEARLY")] {
            if rule == self.rule(count + unit) { return count + unit }
            let plain = "FREQ=\(frequency)" + (interval.map { ";\($0)" } ?? "")
            if isShortDay, rule == (try? RecurrenceRule(plain)) { return count + unit }
        }
        return nil
    }

    /// Returns the rule of a period, or `nil` if no item can have such a rule.
    static func rule(_ text: String) -> RecurrenceRule? {
        let text = text.lowercased()
        let rule = names[text] ?? (text.hasPrefix("p") ? isoPeriod(text.dropFirst()) : period(text[...]))
        return rule.flatMap { try? RecurrenceRule($0) }
    }

    /// Parses `2wks`, `3 months` or `week`.
    private static func period(_ text: Substring) -> String? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let count = digits.isEmpty ? 1 : Int(digits), count > 0 else { return nil }
        switch text[digits.endIndex...].drop(while: { $0 == " " }) {
        case "min", "mins", "minute", "minutes": return every(count, "MINUTELY")
        case "h", "hr", "hrs", "hour", "hours": return every(count, "HOURLY")
        case "d", "day", "days": return every(count, "DAILY")
        case "w", "wk", "wks", "week", "weeks": return every(count, "WEEKLY")
        case "m", "mo", "mos", "mth", "mths", "mnths", "month", "months": return months(count)
        case "q", "qtr", "qtrs", "qrtr", "qrtrs", "quarter", "quarters":
            let product = count.multipliedReportingOverflow(by: 3)
            return product.overflow ? nil : months(product.partialValue)
        case "y", "yr", "yrs", "year", "years": return years(count)
        default: return nil
        }
    }

    /// Parses `1m`, `2w` or `t8h`, the rest of an ISO 8601 period after its `P`. Only one unit is allowed.
    private static func isoPeriod(_ text: Substring) -> String? {
        let isTime = text.hasPrefix("t")
        let part = isTime ? text.dropFirst() : text
        guard let unit = part.last, let count = Int(part.dropLast()), count > 0 else { return nil }
        switch (isTime, unit) {
        case (true, "m"): return every(count, "MINUTELY")
        case (true, "h"): return every(count, "HOURLY")
        case (false, "d"): return every(count, "DAILY")
        case (false, "w"): return every(count, "WEEKLY")
        case (false, "m"): return months(count)
        case (false, "y"): return years(count)
        default: return nil
        }
    }

    private static func every(_ count: Int, _ frequency: String) -> String {
        "FREQ=\(frequency)" + (count == 1 ? "" : ";INTERVAL=\(count)")
    }

    /// Returns a rule in months. In a month without the day, it uses the last day.
    private static func months(_ count: Int) -> String {
        "RSCALE=GREGORIAN;\(every(count, "MONTHLY"));SKIP=BACKWARD"
    }

    private static func years(_ count: Int) -> String {
        "RSCALE=GREGORIAN;\(every(count, "YEARLY"));SKIP=BACKWARD"
    }
}
