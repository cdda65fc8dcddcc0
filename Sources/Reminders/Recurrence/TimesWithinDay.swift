internal import CivilTime

/// The times of an hourly or minutely rule, found without libical.
///
/// libical takes seconds for a rule with rare days, and does not support the hours of a rule.
///
/// Intervals are counted in local time, from the first time of the item. In a rule with hours (`X-BETWEEN`) they are
/// counted from the beginning of the hours of each day, so that every day has the same times. The first time of the
/// item then sets how long after this beginning the first time of a day is. Hours that extend over midnight belong to
/// the day on which they begin.
struct TimesWithinDay {
    /// The most times that `BYMINUTE` or `BYHOUR` may exclude in one search.
    ///
    /// After that, the rule counts as one without any time.
    private static let mostAttempts = 200_000
    private static let day = CivilDateTime.secondsPerDay

    /// The interval in seconds.
    let step: Int
    /// The second of the minute, which all times share.
    var second: Int { start.second }

    /// Whether the hours of the rule include a time of day.
    func areOpen(at civil: CivilDateTime) -> Bool { window?.contains(secondOfDay: civil.secondOfDay) ?? true }

    private let start: CivilDateTime
    private let window: DayWindow?
    private let days: RuleDays?
    private let hours: [Int]
    private let minutes: [Int]
    private let isHourly: Bool

    /// Creates the times of an hourly or minutely rule, or returns `nil` for any other rule.
    init?(_ rule: RecurrenceRule, from start: CivilDateTime) {
        guard let step = rule.stepWithinDay else { return nil }
        self.step = step
        self.start = start
        window = rule.window
        let namesDays = ["BYDAY", "BYMONTH", "BYMONTHDAY", "BYYEARDAY"].contains { rule.value(of: $0) != nil }
        days = namesDays ? RuleDays(of: rule, from: start.date) : nil
        hours = rule.numbers(of: "BYHOUR")
        minutes = rule.numbers(of: "BYMINUTE")
        isHourly = rule.value(of: "FREQ") == "HOURLY"
    }

    /// Returns the first local time after `civil` on a day up to `last`, or `nil` if there is none.
    func next(after civil: CivilDateTime, through last: CivilDate) -> CivilDateTime? {
        let earliest = max(civil.secondsSince1970 + 1, start.secondsSince1970)
        guard let window else { return nextAtAllHours(from: earliest, through: last) }
        return next(from: earliest, in: window, through: last)
    }

    func contains(_ civil: CivilDateTime) -> Bool {
        guard let before = CivilDateTime(secondsSince1970: civil.secondsSince1970 - 1) else { return false }
        return next(after: before, through: civil.date) == civil
    }

    // MARK: - Rules with hours

    private func next(from earliest: Int, in window: DayWindow, through last: CivilDate) -> CivilDateTime? {
        let offset = Self.remainder(start.secondOfDay - window.first, dividingBy: step)
        guard offset <= window.length, let today = CivilDateTime(secondsSince1970: earliest)?.date else {
            return nil
        }
        // The hours of the previous day can extend over midnight.
        var candidate = today.adding(days: -1) ?? today
        while let date = first(from: candidate, through: last) {
            let begin = date.daysSince1970 * Self.day + window.first
            let time = begin + offset + Self.stepsUp(earliest - begin - offset, by: step) * step
            if time <= begin + window.length {
                return CivilDateTime(secondsSince1970: time).flatMap { $0.date <= last ? $0 : nil }
            }
            guard let next = date.adding(days: 1) else { return nil }
            candidate = next
        }
        return nil
    }

    /// Returns the times of day of a rule with hours, in seconds and in the order of the times.
    static func seconds(of rule: RecurrenceRule, in window: DayWindow, from start: CivilDateTime) -> [Int] {
        guard let step = rule.stepWithinDay else { return [] }
        let first = window.first + remainder(start.secondOfDay - window.first, dividingBy: step)
        return stride(from: first, through: window.first + window.length, by: step).map { $0 % day }
    }

    // MARK: - Rules without hours

    private func nextAtAllHours(from earliest: Int, through last: CivilDate) -> CivilDateTime? {
        guard var date = CivilDateTime(secondsSince1970: earliest)?.date else { return nil }
        // The minutes of an hourly rule are times of each hour. A minutely rule excludes all other minutes.
        let offsets = isHourly && !minutes.isEmpty ? minutes.map { $0 * 60 + start.second } : [0]
        let from = start.secondsSince1970 - (offsets == [0] ? 0 : start.secondOfDay % 3_600)
        var attempts = 0
        while let day = first(from: date, through: last), attempts < Self.mostAttempts {
            for hours in hourRanges {
                let begin = day.daysSince1970 * Self.day + hours.lowerBound * 3_600
                let end = day.daysSince1970 * Self.day + hours.upperBound * 3_600
                var time =
                    from + Self.stepsUp(max(begin, earliest - (offsets.last ?? 0)) - from, by: step) * step
                while time < end, attempts < Self.mostAttempts {
                    for offset in offsets where time + offset >= earliest {
                        let civil = CivilDateTime(secondsSince1970: time + offset)
                        if let civil, minutes.isEmpty || minutes.contains(civil.minute) { return civil }
                    }
                    time += step
                    attempts += 1
                }
            }
            attempts += 1
            // An interval of many days is not searched day by day.
            let next = from + Self.stepsUp((day.daysSince1970 + 1) * Self.day - from, by: step) * step
            guard let following = CivilDateTime(secondsSince1970: next)?.date else { return nil }
            date = following
        }
        return nil
    }

    private var hourRanges: [Range<Int>] { hours.isEmpty ? [0..<24] : hours.map { $0..<$0 + 1 } }

    private func first(from date: CivilDate, through last: CivilDate) -> CivilDate? {
        guard date <= last else { return nil }
        guard let days else { return date }
        return days.first(from: date, through: last)
    }

    /// Returns the number of steps needed to reach `distance`, or 0 if it is negative.
    private static func stepsUp(_ distance: Int, by step: Int) -> Int {
        distance <= 0 ? 0 : (distance + step - 1) / step
    }

    private static func remainder(_ number: Int, dividingBy divisor: Int) -> Int {
        let rest = number % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
