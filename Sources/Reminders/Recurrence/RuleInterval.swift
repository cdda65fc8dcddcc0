/// The interval at which a rule repeats: every 2 weeks.
struct RuleInterval {
    enum Frequency: String {
        case minutely = "MINUTELY"
        case hourly = "HOURLY"
        case daily = "DAILY"
        case weekly = "WEEKLY"
        case monthly = "MONTHLY"
        case yearly = "YEARLY"
    }

    /// The largest interval that libical reads.
    static let largestCount = 32_767

    let frequency: Frequency
    let count: Int

    /// The rule that has this interval and nothing else.
    var rule: String {
        switch frequency {
        case .minutely, .hourly, .daily, .weekly: "FREQ=\(frequency.rawValue)\(part)"
        // The 31st of a shorter month is its last day, 29 February of other years the 28th.
        case .monthly, .yearly: "RSCALE=GREGORIAN;FREQ=\(frequency.rawValue)\(part);SKIP=BACKWARD"
        }
    }

    var isWithinDay: Bool { frequency == .minutely || frequency == .hourly }

    /// `;INTERVAL=2`; empty for 1.
    var part: String { count == 1 ? "" : ";INTERVAL=\(count)" }

    /// `week`, for messages.
    var unit: String {
        switch frequency {
        case .minutely: "minute"
        case .hourly: "hour"
        case .daily: "day"
        case .weekly: "week"
        case .monthly: "month"
        case .yearly: "year"
        }
    }

    /// The unit that a word names, such as `weeks` or `quarterly`.
    static func unit(_ word: Substring) -> RuleInterval? {
        switch word {
        case "minute", "minutes", "min", "mins", "m", "minutely": RuleInterval(frequency: .minutely, count: 1)
        case "hour", "hours", "hr", "hrs", "h", "hourly": RuleInterval(frequency: .hourly, count: 1)
        case "day", "days", "d", "daily": RuleInterval(frequency: .daily, count: 1)
        case "week", "weeks", "w", "weekly": RuleInterval(frequency: .weekly, count: 1)
        case "fortnight", "fortnights", "fortnightly", "biweekly": RuleInterval(frequency: .weekly, count: 2)
        case "month", "months", "monthly": RuleInterval(frequency: .monthly, count: 1)
        case "bimonthly": RuleInterval(frequency: .monthly, count: 2)
        case "quarter", "quarters", "quarterly": RuleInterval(frequency: .monthly, count: 3)
        case "year", "years", "y", "yearly", "annually": RuleInterval(frequency: .yearly, count: 1)
        default: nil
        }
    }
}
