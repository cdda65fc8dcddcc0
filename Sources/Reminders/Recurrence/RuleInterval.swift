internal import CivilTime
internal import Phrases

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

    init(frequency: Frequency, count: Int) {
        self.frequency = frequency
        self.count = count
    }

    /// The text of a rule with this interval and no other parts.
    var rule: String {
        switch frequency {
        case .minutely, .hourly, .daily, .weekly: "FREQ=\(frequency.rawValue)\(part)"
        // The 31st becomes the last day of a shorter month, and 29 February becomes the 28th.
        case .monthly, .yearly: "RSCALE=GREGORIAN;FREQ=\(frequency.rawValue)\(part);SKIP=BACKWARD"
        }
    }

    var isWithinDay: Bool { frequency == .minutely || frequency == .hourly }

    /// The rule part `;INTERVAL=2`, or an empty text for 1.
    var part: String { count == 1 ? "" : ";INTERVAL=\(count)" }

    /// The name of the unit for messages: `week`.
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

    /// Returns the interval of one unit that a word names, such as `weeks` or `quarterly`, or `nil` for other words.
    static func unit(_ word: Substring) -> RuleInterval? {
        switch word {
        case "minutely": RuleInterval(frequency: .minutely, count: 1)
        case "hourly": RuleInterval(frequency: .hourly, count: 1)
        case "daily": RuleInterval(frequency: .daily, count: 1)
        case "weekly": RuleInterval(frequency: .weekly, count: 1)
        case "fortnightly", "biweekly": RuleInterval(frequency: .weekly, count: 2)
        case "monthly": RuleInterval(frequency: .monthly, count: 1)
        case "bimonthly": RuleInterval(frequency: .monthly, count: 2)
        case "quarter", "quarters", "quarterly": RuleInterval(frequency: .monthly, count: 3)
        case "yearly", "annually": RuleInterval(frequency: .yearly, count: 1)
        default: LengthUnit(word).flatMap(RuleInterval.init)
        }
    }

    /// Creates an interval of one unit, or returns `nil` if a rule cannot have it.
    private init?(_ unit: LengthUnit) {
        switch unit {
        case .year: self.init(frequency: .yearly, count: 1)
        case .month: self.init(frequency: .monthly, count: 1)
        case .fortnight: self.init(frequency: .weekly, count: 2)
        case .week: self.init(frequency: .weekly, count: 1)
        case .day: self.init(frequency: .daily, count: 1)
        case .hour: self.init(frequency: .hourly, count: 1)
        case .minute: self.init(frequency: .minutely, count: 1)
        case .workday, .second, .millisecond, .microsecond: return nil
        }
    }

    /// Creates the interval of a length, or returns `nil` if a rule cannot have it.
    ///
    /// `2 weeks` is two weeks, and `1h30` is 90 minutes.
    init?(_ length: [LengthPart]) throws(RecurrenceError) {
        if length.count == 1, let part = length.first, let count = Int(exactly: part.number),
            let unit = RuleInterval(part.unit)
        {
            self = try unit.times(count)
            return
        }
        guard let sum = DurationPhrase(length) else { return nil }
        if let span = sum.span {
            let seconds = span.microseconds / 1_000_000
            guard span.microseconds % 60_000_000 == 0 else { throw RecurrenceRule.tooFine }
            let unit: (LengthUnit, seconds: Int64) =
                seconds % 86_400 == 0 ? (.day, 86_400) : seconds % 3_600 == 0 ? (.hour, 3_600) : (.minute, 60)
            guard let one = RuleInterval(unit.0) else { return nil }
            self = try one.times(Int(seconds / unit.seconds))
        } else if let months = sum.wholeMonths {
            self = try RuleInterval(frequency: .monthly, count: 1).times(months)
        } else {
            return nil
        }
    }

    /// Returns a multiple of the interval.
    ///
    /// - Throws: an error if the number is 0 or the result exceeds the largest interval that libical reads.
    func times(_ number: Int) throws(RecurrenceError) -> RuleInterval {
        guard number > 0 else {
            throw RecurrenceError(reason: "every 0 is not possible", advice: "try 'every day'")
        }
        let count = number.multipliedReportingOverflow(by: count)
        guard !count.overflow, count.partialValue <= Self.largestCount else {
            throw RecurrenceError(
                reason: "every \(number) is too rare", advice: "at most \(Self.largestCount) is possible")
        }
        return RuleInterval(frequency: frequency, count: count.partialValue)
    }
}
