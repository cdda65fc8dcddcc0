internal import CivilTime

/// A day that a phrase names, which may match several dates.
struct DayPhrase {
    enum Rule {
        case date(CivilDate)
        case weekday(Weekday)
        /// A day of every year, with no date in a year that lacks it.
        case annual(AnnualDay)
        /// A day of every month, with no date in a month that lacks it.
        case monthly((_ year: Int, _ month: Int) -> CivilDate?)
        case weekend
    }

    /// A day of the year, such as `24 dec`, `first monday of december` or `easter`.
    struct AnnualDay {
        let date: (_ year: Int) -> CivilDate?
        /// The error for a year that does not have the day.
        var missing: (_ year: Int) -> DatePhraseError = { _ in .outOfRange }
    }

    var rule: Rule
    /// The words that name the day.
    var text = ""
    /// The part of the day that the words also name, as in `tonight`.
    var partOfDay: PartOfDay?
    /// The number of weeks from today, as in `in 2 weeks`, or 0 for other days.
    var weeks = 0
    /// Whether this is the last day of a week, a month or a year.
    var isEnd = false
    /// Whether this is a month without a day, such as `december`.
    var isMonth = false
    /// The chosen reading and how to type the other common one, or `nil` if there is only one.
    var other: String?

    static func date(_ date: CivilDate?) throws(DatePhraseError) -> DayPhrase {
        guard let date else { throw .outOfRange }
        return DayPhrase(rule: .date(date))
    }

    static func annual(_ date: @escaping (Int) -> CivilDate?) -> DayPhrase {
        DayPhrase(rule: .annual(AnnualDay(date: date)))
    }

    var isWeekday: Bool { if case .weekday = rule { true } else { false } }
    var isAnnual: Bool { if case .annual = rule { true } else { false } }

    func matches(_ date: CivilDate) -> Bool {
        switch rule {
        case .date(let own): own == date
        case .weekday(let weekday): date.weekday == weekday
        case .annual(let day): day.date(date.year) == date
        case .monthly(let day): day(date.year, date.month) == date
        case .weekend: date.weekday.isWeekend
        }
    }

    /// Returns the dates that the phrase can mean, the most probable first.
    func candidates(_ context: DayContext) throws(DatePhraseError) -> [CivilDate] {
        let today = context.today
        switch rule {
        case .date(let date): return [date]
        case .weekday(let weekday): return context.nearby { $0.weekday == weekday }
        case .weekend: return context.nearby { $0.weekday.isWeekend }
        case .monthly(let day):
            let months = (-4...14).compactMap { today.firstOfMonth?.adding(months: $0) }
            // `friday 27` is in this month or the next.
            return Array(context.order(months.compactMap { day($0.year, $0.month) }).prefix(2))
        case .annual(let day):
            if let year = context.year {
                guard let date = day.date(year) else { throw day.missing(year) }
                return [date]
            }
            let dates = (-8...8).compactMap { day.date(today.year + $0) }
            if dates.isEmpty { throw day.missing(today.year) }
            let ordered = context.order(dates)
            guard context.purpose == .due || context.purpose == .snooze else { return ordered }
            // `todoctl` omits the current year from dates, even from dates in the past.
            return Array(ordered.prefix(1)) + [day.date(today.year)].compactMap { $0 }
        }
    }
}

/// The facts that decide between several days.
struct DayContext {
    let today: CivilDate
    /// Whether the intended time is still in the future today.
    let isInFuture: Bool
    let purpose: DatePhrase.Purpose
    /// The year that the text names.
    var year: Int?

    /// Returns the possible dates, the most probable first.
    func order(_ dates: [CivilDate]) -> [CivilDate] {
        switch purpose {
        case .due, .snooze: dates.filter { $0 >= today }
        case .past: dates.filter { $0 <= today }.reversed()
        case .filter: dates.reversed().sorted { distance($0) < distance($1) }
        }
    }

    /// Returns the matching days of the next week, the nearest first.
    ///
    /// For a time in the past, these are days of the last week. Today is included if its time is possible.
    func nearby(_ matches: (CivilDate) -> Bool) -> [CivilDate] {
        let isTodayPossible = purpose == .filter || isInFuture == (purpose != .past)
        return (isTodayPossible ? 0...7 : 1...7)
            .compactMap { today.adding(days: purpose == .past ? -$0 : $0) }.filter(matches)
    }

    private func distance(_ date: CivilDate) -> Int { abs(date.daysSince1970 - today.daysSince1970) }
}

extension CivilDate {
    var firstOfMonth: CivilDate? { CivilDate(year: year, month: month, day: 1) }
    var lastOfMonth: CivilDate? {
        CivilDate(year: year, month: month, day: Self.days(inMonth: month, of: year))
    }
    /// The Monday of the week.
    var monday: CivilDate? { adding(days: -weekday.rawValue) }
    /// The date in words: `27 Nov 2026`.
    var words: String { "\(day) \(PhraseWords.monthNames[month - 1].capitalized.prefix(3)) \(year)" }

    /// Returns the first such weekday after the day.
    func next(_ weekday: Weekday) -> CivilDate? {
        adding(days: (weekday.rawValue - self.weekday.rawValue + 6) % 7 + 1)
    }

    /// Returns the last such weekday before the day.
    func previous(_ weekday: Weekday) -> CivilDate? {
        adding(days: -((self.weekday.rawValue - weekday.rawValue + 6) % 7 + 1))
    }

    /// Returns the first (1) to fifth (5) day of a kind in a month, or the last one (-1).
    static func day(_ position: Int, _ kind: (CivilDate) -> Bool, year: Int, month: Int) -> CivilDate? {
        let dates = (1...31).compactMap { CivilDate(year: year, month: month, day: $0) }.filter(kind)
        let index = position > 0 ? position - 1 : dates.count + position
        return dates.indices.contains(index) ? dates[index] : nil
    }

    /// Returns Easter Sunday.
    static func easter(_ year: Int) -> CivilDate? {
        guard years.contains(year) else { return nil }
        let century = year / 100
        let skipped = century - century / 4 - (8 * century + 13) / 25
        var epact = (skipped + 19 * (year % 19) + 15) % 30
        epact -= epact / 28 * (1 - epact / 28 * (29 / (epact + 1)) * ((21 - year % 19) / 11))
        let weekday = (year + year / 4 + epact + 2 - century + century / 4) % 7
        let days = epact - weekday
        let month = 3 + (days + 40) / 44
        return CivilDate(year: year, month: month, day: days + 28 - 31 * (month / 4))
    }
}
