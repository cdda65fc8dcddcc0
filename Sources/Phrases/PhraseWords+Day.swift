internal import CivilTime

extension PhraseWords {
    /// Takes the day that the next words name, or returns `nil` if they name none.
    ///
    /// Examples are `tomorrow`, `next friday`, `2026-12-24`, `1 dec` and `end of month`.
    mutating func day(today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        let before = words
        guard var day = try anyDay(today) else {
            words = before
            return nil
        }
        day.text = before.dropLast(words.count).joined(separator: " ")
        return day
    }

    /// The forms of a day, several of which can begin with `the` or `next`.
    private enum DayForm: CaseIterable {
        case relative, shifted, edge, positioned, nextOrLast, holiday, numeric, monthAndDay, weekday
    }

    private mutating func anyDay(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        for isLed in [false, true] {
            let before = words
            if isLed, !take("on"), !take("this", "coming"), !take("coming"), !take("this") { return nil }
            for form in DayForm.allCases {
                let start = words
                if let day = try day(form, today) { return day }
                words = start
            }
            words = before
        }
        return nil
    }

    private mutating func day(_ form: DayForm, _ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        switch form {
        case .relative: try relativeDay(today)
        case .shifted: try shiftedDay(today)
        case .edge: try edge(today)
        case .positioned: try positionedDay(today)
        case .nextOrLast: try nextOrLast(today)
        case .holiday: holiday()
        case .numeric: try numericDate()
        case .monthAndDay: try monthAndDay(today)
        case .weekday: try weekday(today)
        }
    }

    // MARK: - Counted from today

    private mutating func relativeDay(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        let distances = [
            "today": 0, "tomorrow": 1, "tmrw": 1, "tmr": 1, "tmw": 1, "tom": 1, "overmorrow": 2,
            "yesterday": -1,
        ]
        if let word = words.first, let days = distances[String(word)] {
            takeFirst()
            // `tomorrow week` is a week after tomorrow.
            let isWeekLater = days >= 0 && words.first == "week"
            if isWeekLater { takeFirst() }
            return try .date(today.adding(days: days + (isWeekLater ? 7 : 0)))
        }
        if words.first == "this", let next = word(1), PartOfDay(next) != nil {
            takeFirst()
            return try .date(today)
        }
        let isNight = take("last", "night")
        guard isNight || take("tonight") else { return nil }
        var day = try DayPhrase.date(today.adding(days: isNight ? -1 : 0))
        day.partOfDay = .evening
        return day
    }

    /// Takes a day such as `in 3 days`, `3 days from now`, `a week on friday`, `2 days before christmas` or
    /// `the day after tomorrow`.
    private mutating func shiftedDay(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        let isMarked = take("in")
        _ = isMarked ? false : take("the")
        var distance: DurationPhrase
        if !isMarked, take("day") {
            distance = DurationPhrase(days: 1)
        } else if !isMarked, take("week") {
            distance = DurationPhrase(days: 7)
        } else if let found = takeDuration(), found.seconds == 0 {
            distance = found
        } else {
            return nil
        }
        if isMarked || take("from", "now") || take("from", "today") {
            var day = try DayPhrase.date(distance.added(to: today))
            day.weeks =
                distance == DurationPhrase(days: distance.days) && distance.days % 7 == 0
                ? distance.days / 7 : 0
            return day
        }
        if take("ago") { return try .date(distance.negated.added(to: today)) }
        let isBefore = take("before")
        if isBefore { distance = distance.negated }
        let isWeeks = distance.days > 0 && distance.days % 7 == 0
        // `a week tomorrow` is a week after tomorrow.
        let isBare = isWeeks && (words.first == "today" || words.first == "tomorrow")
        guard isBefore || isBare || take("after") || take("from") || take("on") else { return nil }
        guard let base = try day(today: today) else { return nil }
        let context = DayContext(today: today, isInFuture: true, purpose: .due)
        guard let date = try base.candidates(context).first else { return nil }
        return try .date(distance.added(to: date))
    }

    // MARK: - Weeks, months and years

    private enum Period: String, CaseIterable {
        case week, month, quarter, year

        /// Returns the first day of the period that is `count` periods after the one that contains `day`.
        func start(_ count: Int, from day: CivilDate) -> CivilDate? {
            switch self {
            case .week: day.monday?.adding(days: 7 * count)
            case .month: day.firstOfMonth?.adding(months: count)
            case .quarter:
                CivilDate(year: day.year, month: (day.month - 1) / 3 * 3 + 1, day: 1)?.adding(
                    months: 3 * count)
            case .year: CivilDate(year: day.year, month: 1, day: 1)?.adding(months: 12 * count)
            }
        }

        func end(_ count: Int, from day: CivilDate) -> CivilDate? {
            start(count + 1, from: day)?.adding(days: -1)
        }

        func middle(_ count: Int, from day: CivilDate) -> CivilDate? {
            switch self {
            case .week: start(count, from: day)?.adding(days: 2)
            case .month: start(count, from: day)?.adding(days: 14)
            case .quarter: start(count, from: day)?.adding(days: 45)
            case .year: start(count, from: day)?.adding(months: 6)
            }
        }
    }

    /// Takes a period such as `this month`, `next week` or `the year`.
    ///
    /// The count is 0 for the current period, and `nil` if the words do not name one of them.
    private mutating func takePeriod() -> (Period, count: Int?)? {
        let before = words
        let count: Int? = take("next") ? 1 : take("this") || take("current") ? 0 : take("last") ? -1 : nil
        if count == nil { _ = take("the") }
        if let period = words.first.flatMap({ Period(rawValue: String($0)) }) {
            takeFirst()
            return (period, count)
        }
        words = before
        return nil
    }

    /// Takes the edge of a period: `end of month`, `eow`, `beginning of next week`, `mid december`.
    private mutating func edge(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        let short: [String: Period] = ["w": .week, "m": .month, "q": .quarter, "y": .year]
        if let word = words.first, word.count == 3, let period = short[String(word.suffix(1))] {
            if word.hasPrefix("eo") {
                takeFirst()
                return try end(period.end(0, from: today))
            }
            if word.hasPrefix("so") {
                takeFirst()
                return try .date(period.start(1, from: today))
            }
        }
        if take("soww") { return try .date(Period.week.start(1, from: today)) }
        if take("eoww") { return try end(Period.week.start(0, from: today)?.adding(days: 4)) }
        let isEnd = take("end", "of") || take("the", "end", "of")
        let isStart =
            !isEnd
            && (take("beginning", "of") || take("the", "beginning", "of") || take("start", "of")
                || take("the", "start", "of"))
        let isMiddle =
            !isEnd && !isStart && (take("middle", "of") || take("the", "middle", "of") || take("mid"))
        guard isEnd || isStart || isMiddle else { return nil }
        if let (period, count) = takePeriod() {
            if isEnd { return try end(period.end(count ?? 0, from: today)) }
            if isStart { return try .date(period.start(count ?? 1, from: today)) }
            let middle = period.middle(count ?? 0, from: today)
            if count == nil, let middle, middle < today { return try .date(period.middle(1, from: today)) }
            return try .date(middle)
        }
        _ = take("next")
        guard let month = words.first.flatMap(Self.month) else { return nil }
        takeFirst()
        var day = DayPhrase.annual { year in
            CivilDate(year: year, month: month, day: isMiddle ? 15 : 1).flatMap {
                isEnd ? $0.lastOfMonth : $0
            }
        }
        day.isEnd = isEnd
        return day
    }

    private func end(_ date: CivilDate?) throws(DatePhraseError) -> DayPhrase {
        var day = try DayPhrase.date(date)
        day.isEnd = true
        return day
    }

    /// Takes a day such as `next week`, `next friday`, `last month`, `next week on monday`, `next december` or
    /// `this weekend`.
    private mutating func nextOrLast(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        if take("weekend") || take("the", "weekend") { return DayPhrase(rule: .weekend) }
        let isNext = take("next")
        let isLast = !isNext && take("last")
        let isThis = !isNext && !isLast && take("this")
        guard isNext || isLast || isThis, let word = words.first else { return nil }
        takeFirst()
        let sign = isNext ? 1 : isLast ? -1 : 0
        switch word {
        case "week":
            let before = words
            _ = take("on")
            if let weekday = words.first.flatMap(Self.weekday) {
                takeFirst()
                return try .date(Period.week.start(sign, from: today)?.adding(days: weekday.rawValue))
            }
            words = before
            return isThis ? nil : try .date(today.adding(days: 7 * sign))
        case "month":
            let before = words
            _ = take("on")
            _ = take("the")
            if let day = words.first.flatMap(NumberWords.ordinal) {
                takeFirst()
                return try dayOfMonth(day, Period.month.start(sign, from: today))
            }
            words = before
            return isThis ? nil : try .date(today.adding(months: sign))
        case "year": return isThis ? nil : try .date(today.adding(months: 12 * sign))
        case "fortnight" where isNext: return try .date(today.adding(days: 14))
        case "day" where isNext: return try .date(today.adding(days: 1))
        case "quarter" where isNext: return try .date(Period.quarter.start(1, from: today))
        case "weekend": return try weekend(sign, today)
        case "weekday" where isNext, "workday" where isNext:
            return try .date(DurationPhrase(workdays: 1).added(to: today))
        case "business" where isNext && words.first == "day", "working" where isNext && words.first == "day":
            takeFirst()
            return try .date(DurationPhrase(workdays: 1).added(to: today))
        default: break
        }
        if let weekday = Self.weekday(word) {
            if isLast { return try .date(today.previous(weekday)) }
            if isThis, weekday == today.weekday { return try .date(today) }
            return isNext ? try next(weekday, today) : DayPhrase(rule: .weekday(weekday))
        }
        guard !isLast, let month = Self.month(word),
            words.first.map({ $0.first?.isASCIIDigit != true }) ?? true
        else { return nil }
        return .annual { CivilDate(year: $0, month: month, day: 1) }
    }

    /// Returns the day of `next friday`: the first Friday after today.
    ///
    /// Many people mean the Friday a week later, so the result has a note on how to type that.
    private func next(_ weekday: Weekday, _ today: CivilDate) throws(DatePhraseError) -> DayPhrase {
        let date = today.next(weekday)
        var day = try DayPhrase.date(date)
        if let date, today.weekday != weekday, let other = date.adding(days: 7) {
            let name = weekday.name
            day.other =
                "\(name) \(date.words); for \(name) \(other.words), type '\(name.lowercased()) after next'"
        }
        return day
    }

    private func weekend(_ sign: Int, _ today: CivilDate) throws(DatePhraseError) -> DayPhrase {
        if sign == 0 { return DayPhrase(rule: .weekend) }
        let date = Period.week.start(sign, from: today)?.adding(days: 5)
        var day = try DayPhrase.date(date)
        if sign > 0, let date, let other = date.adding(days: -7), other > today {
            day.other = "Saturday \(date.words); for Saturday \(other.words), type 'this weekend'"
        }
        return day
    }

    // MARK: - Positions

    /// Takes a day such as `first monday of december`, `last day of next month`, `the 24th` or `1st of december`.
    private mutating func positionedDay(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        _ = take("the")
        guard let word = words.first, let position = NumberWords.position(word) else { return nil }
        takeFirst()
        if let kind = takeKindOfDay() {
            guard take("of") || take("in") else { return nil }
            return try day(in: today, isLast: position < 0) {
                CivilDate.day(position, kind, year: $0, month: $1)
            }
        }
        guard position > 0 else { return nil }
        if let month = words.first.flatMap(Self.month) {
            takeFirst()
            return try annual(month: month, day: position)
        }
        let before = words
        if take("of") || ["next", "this"].contains(words.first),
            let day = try day(in: today, number: position, { CivilDate(year: $0, month: $1, day: position) })
        {
            return day
        }
        words = before
        // Without a month, `first` is not a day.
        guard NumberWords.ordinal(word) != nil, (1...31).contains(position) else { return nil }
        return DayPhrase(rule: .monthly { CivilDate(year: $0, month: $1, day: position) })
    }

    private mutating func takeKindOfDay() -> ((CivilDate) -> Bool)? {
        guard let word = words.first else { return nil }
        if let weekday = Self.weekday(word) {
            takeFirst()
            return { $0.weekday == weekday }
        }
        if take("day") { return { _ in true } }
        if take("weekday") || take("workday") || take("working", "day") || take("business", "day") {
            return { !$0.weekday.isWeekend }
        }
        return nil
    }

    /// Takes a month, any month or a year, and returns the day in it: `december`, `next month`, `the month`,
    /// `the year`.
    private mutating func day(
        in today: CivilDate, number: Int? = nil, isLast: Bool = false,
        _ day: @escaping (Int, Int) -> CivilDate?
    ) throws(DatePhraseError) -> DayPhrase? {
        if let month = words.first.flatMap(Self.month) {
            takeFirst()
            if let number { return try annual(month: month, day: number) }
            return .annual { day($0, month) }
        }
        guard let (period, count) = takePeriod() else { return nil }
        switch (period, count) {
        case (.month, nil): return DayPhrase(rule: .monthly(day))
        case (.month, let count?):
            guard let start = Period.month.start(count, from: today) else { throw .outOfRange }
            if let number { return try dayOfMonth(number, start) }
            guard let date = day(start.year, start.month) else {
                throw DatePhraseError(reason: "\(Self.name(start.month)) \(start.year) has no such day")
            }
            return try .date(date)
        case (.year, _) where number == nil:
            guard let start = Period.year.start(count ?? 0, from: today) else { throw .outOfRange }
            return try .date(day(start.year, isLast ? 12 : 1))
        default: return nil
        }
    }

    private func dayOfMonth(_ day: Int, _ start: CivilDate?) throws(DatePhraseError) -> DayPhrase {
        guard let start else { throw .outOfRange }
        return try .date(Self.existing(year: start.year, month: start.month, day: day))
    }

    // MARK: - Holidays

    private static let holidays: [([String], month: Int, day: Int)] = [
        (["christmas", "eve"], 12, 24), (["xmas", "eve"], 12, 24), (["christmas", "day"], 12, 25),
        (["christmas"], 12, 25), (["xmas"], 12, 25), (["boxing", "day"], 12, 26),
        (["new", "years", "eve"], 12, 31), (["new", "year", "eve"], 12, 31), (["nye"], 12, 31),
        (["new", "years", "day"], 1, 1), (["new", "year", "day"], 1, 1), (["new", "years"], 1, 1),
        (["new", "year"], 1, 1), (["halloween"], 10, 31), (["valentines", "day"], 2, 14),
        (["valentines"], 2, 14),
    ]

    /// The holidays by the number of days after Easter Sunday.
    private static let movableHolidays: [([String], days: Int)] = [
        (["easter", "sunday"], 0), (["easter", "monday"], 1), (["easter"], 0), (["good", "friday"], -2),
        (["ascension", "day"], 39), (["ascension"], 39), (["pentecost"], 49), (["whit", "monday"], 50),
    ]

    private mutating func holiday() -> DayPhrase? {
        for (name, month, day) in Self.holidays where words.starts(with: name.map { Substring($0) }) {
            take(count: name.count)
            return .annual { CivilDate(year: $0, month: month, day: day) }
        }
        for (name, days) in Self.movableHolidays where words.starts(with: name.map { Substring($0) }) {
            take(count: name.count)
            return .annual { CivilDate.easter($0)?.adding(days: days) }
        }
        return nil
    }

    // MARK: - Days of the week

    /// Takes a day of the week: `friday`, `friday next week`, `friday week` or `the friday after next`.
    private mutating func weekday(_ today: CivilDate) throws(DatePhraseError) -> DayPhrase? {
        if words.first == "the", word(2) == "after", word(3) == "next" { takeFirst() }
        guard let weekday = words.first.flatMap(Self.weekday) else { return nil }
        takeFirst()
        for (name, count) in [("next", 1), ("this", 0), ("last", -1)]
        where words.starts(with: [Substring(name), "week"]) {
            take(count: 2)
            return try .date(Period.week.start(count, from: today)?.adding(days: weekday.rawValue))
        }
        if take("after", "next") { return try .date(today.next(weekday)?.adding(days: 7)) }
        if words.first == "week" {
            takeFirst()
            return try .date(today.adding(days: -1)?.next(weekday)?.adding(days: 7))
        }
        return DayPhrase(rule: .weekday(weekday))
    }
}
