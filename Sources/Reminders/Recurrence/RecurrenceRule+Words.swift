internal import CivilTime

extension RecurrenceRule {
    /// The rule as a person says it: `every 2 weeks on Mon and Wed, 10 times`; as it is written where there are no
    /// short words for it.
    package var words: String {
        guard let every, let on, isPlain else { return text }
        return every + on + end
    }

    /// Whether it says nothing that the words leave out.
    private var isPlain: Bool {
        let spoken = [
            "RSCALE", "FREQ", "INTERVAL", "BYDAY", "BYMONTHDAY", "SKIP", "COUNT", "UNTIL",
        ]
        return text.split(separator: ";").allSatisfy { part in
            spoken.contains { part.hasPrefix("\($0)=") }
        }
    }

    private var every: String? {
        let units = ["DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"]
        guard let unit = value(of: "FREQ").flatMap({ units[String($0)] }) else { return nil }
        let interval = value(of: "INTERVAL").flatMap { Int($0) } ?? 1
        return interval == 1 ? "every \(unit)" : "every \(interval) \(unit)s"
    }

    /// On which days; empty when the rule names none, nil when it names some in a way that has no short words.
    private var on: String? {
        switch (value(of: "FREQ"), value(of: "BYDAY"), value(of: "BYMONTHDAY")) {
        case (_, nil, nil): return ""
        case ("WEEKLY", "MO,TU,WE,TH,FR"?, nil): return " from Mon to Fri"
        case ("WEEKLY", let days?, nil):
            return Self.list(days.split(separator: ",").map(Self.weekday)).map { " on \($0)" }
        case ("MONTHLY", let day?, nil) where !day.contains(","):
            let position = Self.positions[String(day.dropLast(2))]
            guard let position, let weekday = Self.weekday(day.suffix(2)) else { return nil }
            return " on the \(position) \(weekday)"
        case ("MONTHLY", nil, "-1"?): return " on its last day"
        case ("MONTHLY", nil, let days?):
            return Self.list(days.split(separator: ",").map(Self.ordinal)).map { " on the \($0)" }
        default: return nil
        }
    }

    private var end: String {
        if let count { return count == 1 ? ", once" : ", \(count) times" }
        guard let until = value(of: "UNTIL") else { return "" }
        return ", until \(until.prefix(4))-\(until.dropFirst(4).prefix(2))-\(until.dropFirst(6).prefix(2))"
    }

    private static let positions = ["1": "first", "2": "second", "3": "third", "4": "fourth", "-1": "last"]

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

    /// `Mon, Wed and Fri`; nil when one of them has no name.
    private static func list(_ names: [String?]) -> String? {
        let known = names.compactMap(\.self)
        guard known.count == names.count, let last = known.last else { return nil }
        return known.count == 1 ? last : known.dropLast().joined(separator: ", ") + " and " + last
    }
}
