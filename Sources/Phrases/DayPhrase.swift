internal import CivilTime

/// A day that a phrase names, before it is known which time of it is meant.
struct DayPhrase {
    enum Rule {
        case date(CivilDate)
        case weekday(Weekday)
        /// A day of every year; `nil` in a year that does not have it.
        case annual(AnnualDay)
        /// A day of every month; `nil` in a month that does not have it.
        case monthly((_ year: Int, _ month: Int) -> CivilDate?)
        case weekend
    }

    /// `24 dec`, `first monday of december`, `easter`.
    struct AnnualDay {
        let date: (_ year: Int) -> CivilDate?
        /// The reason why the day is not in a year.
        var missing: (_ year: Int) -> DatePhraseError = { _ in .outOfRange }
    }

    var rule: Rule
    /// The words that name it.
    var text = ""
    /// The part of the day that goes with it, as with `tonight`.
    var partOfDay: PartOfDay?
    /// The number of weeks from today, as `in 2 weeks` says it; 0 for other days.
    var weeks = 0
    /// Whether it is the last day of a week, a month or a year.
    var isEnd = false
    /// Whether it is a month without a day, such as `december`.
    var isMonth = false
    /// The reading that others would choose, and how to type it.
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

    /// The days that it can be, the most probable first.
    func candidates(_ context: DayContext) throws(DatePhraseError) -> [CivilDate] {
        let today = context.today
        switch rule {
        case .date(let date): return [date]
        case .weekday(let weekday): return context.nearby { $0.weekday == weekday }
        case .weekend: return context.nearby { $0.weekday.isWeekend }
        case .monthly(let day):
            let months = (-4...14).compactMap { today.firstOfMonth?.adding(months: $0) }
            // A Friday that is the 27th is one of this month or the next.
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
            // `todoctl` leaves the year out in this one, also if the day is past.
            return Array(ordered.prefix(1)) + [day.date(today.year)].compactMap { $0 }
        }
    }
}

/// The facts by which one of several days is chosen.
struct DayContext {
    let today: CivilDate
    /// Whether the time that is meant is still to come today.
    let isAhead: Bool
    let purpose: DatePhrase.Purpose
    /// The year that is named beside the day.
    var year: Int?

    /// The most probable ones of these days first; some are left out.
    func order(_ dates: [CivilDate]) -> [CivilDate] {
        switch purpose {
        case .due, .snooze: dates.filter { $0 >= today }
        case .past: dates.filter { $0 <= today }.reversed()
        case .filter: dates.reversed().sorted { distance($0) < distance($1) }
        }
    }

    /// The days of the next week, or for the past of the last one, the nearest first; today if its time is not over.
    func nearby(_ matches: (CivilDate) -> Bool) -> [CivilDate] {
        let isTodayPossible = purpose == .filter || isAhead == (purpose != .past)
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
    /// The Monday of its week.
    var monday: CivilDate? { adding(days: -weekday.rawValue) }
    /// `27 Nov 2026`.
    var words: String { "\(day) \(PhraseWords.monthNames[month - 1].capitalized.prefix(3)) \(year)" }

    /// The first such weekday after the day.
    func next(_ weekday: Weekday) -> CivilDate? {
        adding(days: (weekday.rawValue - self.weekday.rawValue + 6) % 7 + 1)
    }

    /// The last such weekday before the day.
    func previous(_ weekday: Weekday) -> CivilDate? {
        adding(days: -((self.weekday.rawValue - weekday.rawValue + 6) % 7 + 1))
    }

    /// The first (1) to fifth such day of a month, or the last (-1).
    static func day(_ position: Int, _ kind: (CivilDate) -> Bool, year: Int, month: Int) -> CivilDate? {
        let dates = (1...31).compactMap { CivilDate(year: year, month: month, day: $0) }.filter(kind)
        let index = position > 0 ? position - 1 : dates.count + position
        return dates.indices.contains(index) ? dates[index] : nil
    }

    /// Easter Sunday.
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
