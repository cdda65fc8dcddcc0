package import CivilTime

/// A length of time, such as `in 2 days` or `+2h30m`.
///
/// Whole days and months follow the calendar and keep the time of day. The rest is counted in seconds.
package struct DurationPhrase: Hashable {
    var months = 0
    var days = 0
    /// Days from Monday to Friday.
    var workdays = 0
    var seconds = 0.0

    /// Creates the sum of the parts.
    ///
    /// Returns `nil` if the units do not get shorter from part to part, or if a part is a fraction of a month or of a
    /// working day.
    package init?(_ parts: [LengthPart]) {
        guard zip(parts, parts.dropFirst()).allSatisfy({ $0.unit.rawValue < $1.unit.rawValue }) else {
            return nil
        }
        self.init()
        for part in parts {
            let number = part.number
            switch part.unit {
            case .year, .month:
                guard let count = Int(exactly: part.unit == .year ? number * 12 : number) else { return nil }
                months += count
            case .fortnight: add(days: number * 14)
            case .week: add(days: number * 7)
            case .day: add(days: number)
            case .workday:
                guard let count = Int(exactly: number) else { return nil }
                workdays += count
            case .hour: seconds += number * 3_600
            case .minute: seconds += number * 60
            case .second: seconds += number
            case .millisecond: seconds += number / 1_000
            case .microsecond: seconds += number / 1_000_000
            }
        }
    }

    init(months: Int = 0, days: Int = 0, workdays: Int = 0, seconds: Double = 0) {
        self.months = months
        self.days = days
        self.workdays = workdays
        self.seconds = seconds
    }

    private mutating func add(days number: Double) {
        if let count = Int(exactly: number) {
            days += count
        } else {
            seconds += number * 86_400
        }
    }

    /// Reads a length as people type it: `90m`, `1h30`, `2h 30m`, `half an hour`, `a fortnight`.
    ///
    /// Every number except 0 needs a unit.
    package static func reading(_ text: some StringProtocol) throws(DatePhraseError) -> DurationPhrase {
        guard text.utf8.count <= DatePhrase.bytesLimit else {
            throw DatePhraseError(reason: "a time span has at most \(DatePhrase.bytesLimit) bytes")
        }
        var words = PhraseWords(String(text))
        if words.words == ["0"] { return DurationPhrase() }
        let typed = words
        guard let duration = words.takeDuration(), words.isEmpty else {
            if let ordered = typed.lengthsInOrder {
                throw DatePhraseError(
                    reason: "'\(text.trimmed)' is not a time span", advice: Self.orderOfParts,
                    similar: isLength(ordered) ? [ordered] : [])
            }
            throw DatePhraseError(
                reason: "'\(text.trimmed)' is not a time span", isOfOtherWords: true)
        }
        return duration
    }

    private static func isLength(_ text: String) -> Bool {
        var words = PhraseWords(text)
        return words.takeDuration() != nil && words.isEmpty
    }

    /// The rule about several parts, as a part of an error.
    static let orderOfParts = "each unit comes once, the longest first, without commas between them"

    /// Whether the length has no months, which differ in length, and no working days.
    var isFixed: Bool { months == 0 && workdays == 0 }

    /// The length with days of 24 hours, or `nil` if it is not fixed or is longer than `TimeSpan.longest`.
    package var span: TimeSpan? {
        let total = Double(days) * Double(CivilDateTime.secondsPerDay) + seconds
        guard isFixed, total <= TimeSpan.longest.seconds else { return nil }
        return TimeSpan(microseconds: Int64((total * 1e6).rounded()))
    }

    /// The number of months, or `nil` if the length has anything else.
    package var wholeMonths: Int? { self == DurationPhrase(months: months) ? months : nil }

    var negated: DurationPhrase {
        DurationPhrase(months: -months, days: -days, workdays: -workdays, seconds: -seconds)
    }

    /// Returns the date after this length of time, or `nil` if there is none.
    func added(to date: CivilDate) -> CivilDate? {
        guard var date = date.adding(months: months)?.adding(days: days) else { return nil }
        guard workdays != 0 else { return date }
        let step = workdays.signum()
        // Five working days are a week, no matter on which day the count starts.
        while date.weekday.isWeekend {
            guard let next = date.adding(days: -step) else { return nil }
            date = next
        }
        guard let week = date.adding(days: workdays / 5 * 7) else { return nil }
        date = week
        for _ in 0..<abs(workdays % 5) {
            repeat {
                guard let next = date.adding(days: step) else { return nil }
                date = next
            } while date.weekday.isWeekend
        }
        return date
    }

    package func added(to moment: Timestamp, zone: TimeZoneRules) -> Timestamp? {
        var result = moment
        if months != 0 || days != 0 || workdays != 0 {
            guard let start = zone.civil(at: moment), let date = added(to: start.date) else { return nil }
            result = zone.moment(of: CivilDateTime(date, secondOfDay: start.secondOfDay))
        }
        result = result + seconds
        return zone.civil(at: result) == nil ? nil : result
    }
}

extension TimeSpan {
    /// Reads a length that does not depend on the date, such as a lead time: `90m`, `1h30` or `2 days`, but not
    /// `a month`.
    package init(typed text: some StringProtocol) throws(DatePhraseError) {
        let length = try DurationPhrase.reading(text)
        guard let span = length.span else {
            throw DatePhraseError(
                reason: "'\(text.trimmed)' "
                    + (length.isFixed ? "is too long" : "has no fixed length, because it depends on the date")
            )
        }
        self = span
    }
}

extension Weekday {
    var isWeekend: Bool { self == .saturday || self == .sunday }

    /// The name of the weekday: `Monday`.
    var name: String { String(describing: self).capitalized }
}

extension String {
    var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
