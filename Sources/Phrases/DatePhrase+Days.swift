internal import CivilTime

extension DatePhrase {
    /// Reads the days and times that the words name, up to a span to add.
    func dayAndTime(_ words: inout PhraseWords) throws(DatePhraseError) -> Reading {
        var days: [DayPhrase] = []
        var time: TimeOfDay?
        var year: Int?
        var namedZone: ZonePhrase?
        /// A number beside a day of the week.
        var number: Int?
        while !words.isEmpty {
            // After a month a number is its day.
            let isDayNamed = days.contains { !$0.isWeekday && !$0.isMonth }
            let zonePhrase = time != nil && namedZone == nil ? words.zone(in: zone) : nil
            if time != nil || !days.isEmpty, words.startsWithSign, zonePhrase == nil { break }
            if let found = zonePhrase {
                words.takeFirst()
                namedZone = found
            } else if year == nil, days.contains(where: \.isAnnual),
                let found = words.year(isTimeNamed: time != nil)
            {
                words.takeFirst()
                year = found
            } else if time != nil, isDayNamed, let distance = words.takeDistance() {
                try check(distance, try moment(days, time, year, namedZone))
                break
            } else if time == nil,
                let found = try words.time(
                    in: days.compactMap(\.partOfDay).first,
                    isDayNamed: isDayNamed
                        || words.startsWithLetteredHour && (!days.isEmpty || words.words.count > 1))
            {
                time = found
            } else if let found = try words.day(today: today.date) {
                days.append(found)
            } else if number == nil, days.count == 1 && days[0].isWeekday || words.isNumberBeforeWeekday,
                let found = words.dayOrHour()
            {
                words.takeFirst()
                number = found
            } else {
                throw words.notUnderstood
            }
        }
        if let number, days.count == 1 {
            if let day = try dayOfMonth(number, beside: days[0], words, isTimeNamed: time != nil) {
                days.append(day)
            } else {
                time = TimeOfDay(secondOfDay: HourMeaning.hour(of: number) * 3_600)
            }
        }
        if days.count == 0, time == nil { throw words.notUnderstood }
        if year == nil, days.contains(where: \.isAnnual), let error = words.timeOrYearBeforeDay {
            throw error
        }
        let civil = try civil(days, time, year)
        var reading = Reading(moment: try moment(of: civil, namedZone))
        if !words.isEmpty {
            reading.moment = try shifted(reading.moment, &words)
        } else if namedZone == nil {
            reading.secondOfDay = civil.secondOfDay
        }
        reading.isDayAlone = time == nil && days.allSatisfy { $0.partOfDay == nil }
        reading.isEnd = days.contains(where: \.isEnd)
        reading.note = note(days, time, reading.moment)
        // Midnight, the last minute and a day without a time do not name a time of the clock.
        if reading.note == nil, namedZone == nil, let time, time.kind == .clock,
            time.secondOfDay < CivilDateTime.secondsPerDay
        {
            reading.note = ClockChangeNote.text(at: civil, reading.moment, in: zone)
        }
        return reading
    }

    private func note(_ days: [DayPhrase], _ time: TimeOfDay?, _ moment: Timestamp) -> String? {
        if days.count == 1, let other = days[0].other { return "'\(days[0].text)' is \(other)" }
        guard time?.kind == .midnight, time?.secondOfDay == 0, let day = days.first,
            let date = zone.civil(at: moment)?.date, let next = date.adding(days: 1)
        else { return nil }
        return "midnight is the beginning of \(day.text); for its end, type '\(next.words) 0:00'"
    }

    /// Returns the day of the month that a number beside a day of the week names, as in `fri 27`, or `nil` if the number
    /// is an hour.
    private func dayOfMonth(
        _ number: Int, beside weekday: DayPhrase, _ words: PhraseWords, isTimeNamed: Bool
    ) throws(DatePhraseError) -> DayPhrase? {
        let dayOfMonth = DayPhrase(
            rule: .monthly { CivilDate(year: $0, month: $1, day: number) }, text: "\(number)")
        if isTimeNamed || number > 23 { return dayOfMonth }
        let context = DayContext(today: today.date, isInFuture: true, purpose: purpose)
        guard let date = try dayOfMonth.candidates(context).first, weekday.matches(date) else { return nil }
        let hour = HourMeaning.hour(of: number)
        throw words.ambiguous(
            "\(number)", ["\(hour):00", "\(number) \(PhraseWords.monthNames[date.month - 1].prefix(3))"])
    }

    /// Refuses a distance beside a time, as lists show it, if the time has another distance.
    private func check(_ distance: (text: String, duration: DurationPhrase), _ moment: Timestamp)
        throws(DatePhraseError)
    {
        let expected = try later(by: distance.duration)
        let tolerance = max(60, abs(expected - now) / 2)
        guard abs(expected - moment) <= tolerance else {
            let words = TimeInWords(now: now, zone: zone)
            throw DatePhraseError(
                reason: "\(words.moment(moment)) is \(words.distance(to: moment)), not \(distance.text)")
        }
    }

    func moment(
        _ days: [DayPhrase], _ time: TimeOfDay?, _ year: Int?, _ namedZone: ZonePhrase?
    ) throws(DatePhraseError) -> Timestamp {
        try moment(of: try civil(days, time, year), namedZone)
    }

    /// Returns the time that the clock shows, here or in the named zone.
    private func civil(
        _ days: [DayPhrase], _ time: TimeOfDay?, _ year: Int?
    ) throws(DatePhraseError) -> CivilDateTime {
        var second = time?.secondOfDay ?? days.compactMap(\.partOfDay).first?.secondOfDay ?? defaultTime
        if time?.kind == .same { second = today.secondOfDay }
        if time?.kind == .end, purpose == .filter { second = CivilDateTime.secondsPerDay }
        var date = try date(days, isInFuture: isInFuture(second), year)
        let isAlone = time == nil && days.allSatisfy { $0.partOfDay == nil }
        if isAlone, purpose == .due || purpose == .snooze, date == today.date, second <= today.secondOfDay,
            days.contains(where: \.isEnd)
        {
            // The end of the week is still to come on Sunday evening.
            second = TimeOfDay.end.secondOfDay
        }
        if second >= CivilDateTime.secondsPerDay {
            guard let next = date.adding(days: 1) else { throw .outOfRange }
            date = next
            second -= CivilDateTime.secondsPerDay
        }
        return CivilDateTime(date, secondOfDay: second)
    }

    private func moment(
        of civil: CivilDateTime, _ namedZone: ZonePhrase?
    ) throws(DatePhraseError) -> Timestamp {
        guard let namedZone else { return moment(of: civil) }
        let moment = try namedZone.moment(of: civil, in: zone)
        guard zone.civil(at: moment) != nil else { throw .outOfRange }
        return moment
    }

    /// Returns the moment at which the clock shows this time.
    ///
    /// If the clocks go back and it occurs twice, this is the next one, or the last one for a time in the past.
    private func moment(of civil: CivilDateTime) -> Timestamp {
        let moments = zone.moments(of: civil)
        let possible: Timestamp? =
            switch purpose {
            case .due, .snooze: moments.first { $0 > now }
            case .past: moments.last { $0 <= now }
            case .filter: nil
            }
        return possible ?? zone.moment(of: civil)
    }

    /// Whether the clock shows this second of the day again today. Clocks that go back show some times twice.
    private func isInFuture(_ second: Int) -> Bool {
        guard second < CivilDateTime.secondsPerDay else { return true }
        let moments = zone.moments(of: CivilDateTime(today.date, secondOfDay: second))
        guard moments.count > 1, let first = moments.first, let last = moments.last else {
            return second > today.secondOfDay
        }
        return (purpose == .past ? first : last) > now
    }

    /// Returns the first day that all phrases name.
    private func date(_ days: [DayPhrase], isInFuture: Bool, _ year: Int?) throws(DatePhraseError)
        -> CivilDate
    {
        let order: [(DayPhrase) -> Bool] = [
            { if case .date = $0.rule { true } else { false } }, \.isAnnual,
            { if case .monthly = $0.rule { true } else { false } },
        ]
        let context = DayContext(today: today.date, isInFuture: isInFuture, purpose: purpose, year: year)
        guard let main = order.lazy.compactMap({ days.firstIndex(where: $0) }).first ?? days.indices.first
        else {
            let isToday = isInFuture == (purpose != .past) || purpose == .filter
            guard let date = today.date.adding(days: isToday ? 0 : purpose == .past ? -1 : 1) else {
                throw .outOfRange
            }
            return date
        }
        if let date = try weekday(days) { return date }
        let candidates = try days[main].candidates(context)
        for date in candidates where days.allSatisfy({ $0.matches(date) }) && year ?? date.year == date.year {
            return date
        }
        guard let date = candidates.first else { throw .outOfRange }
        throw disagreement(of: days[main], with: days.first { !$0.matches(date) }, date, year)
    }

    /// Returns the day of `friday in 2 weeks`, or `nil` for other phrases.
    ///
    /// This is the Friday of the week in two weeks, if it is also two weeks after the next Friday. Otherwise the text
    /// is ambiguous.
    private func weekday(_ days: [DayPhrase]) throws(DatePhraseError) -> CivilDate? {
        guard days.count == 2, let weeks = days.first(where: { $0.weeks > 0 })?.weeks,
            case .weekday(let weekday)? = days.first(where: \.isWeekday)?.rule
        else { return nil }
        guard let ofWeek = today.date.monday?.adding(days: 7 * weeks + weekday.rawValue),
            let afterNext = today.date.adding(days: -1)?.next(weekday)?.adding(days: 7 * weeks)
        else { throw .outOfRange }
        guard ofWeek == afterNext else {
            throw .ambiguous([ofWeek, afterNext].map { "\($0.weekday.shortName) \($0.words)".lowercased() })
        }
        return ofWeek
    }

    private func disagreement(
        of day: DayPhrase, with other: DayPhrase?, _ date: CivilDate, _ year: Int?
    ) -> DatePhraseError {
        let words = "\(date.weekday.name) \(date.words)"
        guard let other else {
            return DatePhraseError(reason: "'\(day.text)' is \(words), not in \(year ?? 0)")
        }
        if case .weekday(let weekday) = other.rule {
            return DatePhraseError(reason: "\(date.words) is a \(date.weekday.name), not a \(weekday.name)")
        }
        return DatePhraseError(reason: "'\(day.text)' is \(words), not '\(other.text)'")
    }
}
