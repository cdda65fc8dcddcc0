package import CivilTime

/// The first or the last time that a filter includes.
package struct FilterBound: Hashable, Sendable {
    /// The time itself, or the midnight at the beginning of a day.
    ///
    /// For the end of a week or a month, this is the midnight at its end.
    package let moment: Timestamp
    /// The midnight at the end of the day, or `nil` if the text names a time of day.
    package let endOfDay: Timestamp?
    /// A note about the chosen reading, as in `DatePhrase.Reading`.
    package let note: String?
}

/// A reader of times as people type them: `tomorrow 9am`, `friday 15:30`, `in 20 minutes`, `2026-12-24T18:00`, `1 dec`.
///
/// The whole text must make sense. A word that is left over, or a day or a time that does not exist, is an error and
/// never a guess. A day without a time means `defaultTime`. A time without a day means the next such time.
package struct DatePhrase {
    /// The most bytes of a text, which is more than any typed time has.
    package static let lengthLimit = 500

    /// The use of a time, which decides between several readings of a text.
    package enum Purpose: Sendable {
        /// The time when an item is due: the next possible time.
        case due
        /// The end of a snooze: the next possible time, where `8h` is a length.
        case snooze
        /// The bound of a filter.
        ///
        /// A day is its midnight, and a date without a year is the nearest one.
        case filter
        /// A time in the past: the last possible time.
        case past
    }

    /// A moment, and how the text was read.
    package struct Reading {
        package var moment: Timestamp
        /// The chosen reading and how to type the other one, if about half of all people mean the other one.
        package var note: String?
        /// Whether the text names a day without a time of day.
        package var isDayAlone = false
        /// The time of day that the text names, or the default time, in seconds.
        ///
        /// A change of the clocks can skip it on the day of `moment`. It is `nil` for a length of time, and for a time
        /// in another zone.
        package var secondOfDay: Int?
        var isEnd = false
    }

    private let now: Timestamp
    private let zone: TimeZoneRules
    private let today: CivilDateTime
    /// The time of day, in seconds, of a date without a time.
    private let defaultTime: Int
    private let purpose: Purpose

    package static func moment(
        _ text: String, now: Timestamp, zone: TimeZoneRules, defaultTime: Int, purpose: Purpose = .due
    ) throws(DatePhraseError) -> Timestamp {
        try reading(text, now: now, zone: zone, defaultTime: defaultTime, purpose: purpose).moment
    }

    /// Reads a time.
    ///
    /// - Parameter suggests: whether an error suggests another text, which takes some time to find.
    package static func reading(
        _ text: String, now: Timestamp, zone: TimeZoneRules, defaultTime: Int, purpose: Purpose = .due,
        suggests: Bool = true
    ) throws(DatePhraseError) -> Reading {
        let phrase = try DatePhrase(now, zone, defaultTime, purpose)
        do {
            return try phrase.reading(text)
        } catch {
            guard suggests, text.utf8.count <= lengthLimit else { throw error }
            return try phrase.onlyReading(of: text, after: error)
        }
    }

    /// Returns the reading on which all suggestions for a refused text agree.
    ///
    /// - Throws: the error with the suggestions that are understood, if they disagree or there is only one.
    private func onlyReading(of text: String, after error: DatePhraseError) throws(DatePhraseError) -> Reading
    {
        var words = PhraseWords(text)
        words.takeLeadIn()
        let lengths = error.isAmbiguous ? nil : words.lengthsInOrder
        var candidates = error.similar
        if let lengths {
            candidates = [lengths]
            if (try? reading(lengths)) == nil {
                // `1h` and `30m` are lengths in any case, and `8h` can be a time.
                candidates = words.words.compactMap { LetteredHours($0) }.filter { $0.use != .length }
                    .map(\.time)
            }
        } else if candidates.isEmpty {
            candidates = PhraseWords(text).corrections
        }
        let found = candidates.compactMap { candidate in
            (try? reading(candidate)).map { (text: candidate, reading: $0) }
        }.filter { isPossible($0.reading.moment) }
        var cause = lengths == nil ? error.cause : DurationPhrase.orderOfParts
        if error.isAmbiguous, found.count < candidates.count {
            cause = "\(found.isEmpty ? "each" : "one") of its two readings is in the past or does not exist"
        } else if error.isAmbiguous, let first = found.first,
            found.allSatisfy({ $0.reading.moment == first.reading.moment })
        {
            return first.reading
        }
        throw DatePhraseError(
            reason: cause, advice: lengths == nil ? error.advice : nil, similar: found.map(\.text),
            isOfOtherWords: error.isOfOtherWords)
    }

    /// Whether a time can be typed where it is used: a due time and the end of a pause are not in the past.
    private func isPossible(_ moment: Timestamp) -> Bool {
        switch purpose {
        case .due, .snooze: moment >= now - now.secondsSince1970.truncatingRemainder(dividingBy: 60)
        case .filter, .past: true
        }
    }

    /// Reads a time as the bound of a filter, such as `list --due-before`.
    ///
    /// A day is its midnight, even if that is in the past: on a Monday, `monday` is today. A date without a year is the
    /// one nearest to today. A time without a day is today's.
    package static func filterBound(
        _ text: String, now: Timestamp, zone: TimeZoneRules
    ) throws(DatePhraseError) -> FilterBound {
        let reading = try reading(text, now: now, zone: zone, defaultTime: 0, purpose: .filter)
        guard reading.isDayAlone, let day = zone.civil(at: reading.moment)?.date else {
            return FilterBound(moment: reading.moment, endOfDay: nil, note: reading.note)
        }
        let end =
            day.adding(days: 1).map { zone.moment(of: CivilDateTime($0, secondOfDay: 0)) }
            ?? reading.moment + Double(CivilDateTime.secondsPerDay)
        return FilterBound(moment: reading.isEnd ? end : reading.moment, endOfDay: end, note: reading.note)
    }

    /// Returns the next moment at which the clock shows this time of day, in seconds.
    package static func next(
        _ secondOfDay: Int, after now: Timestamp, zone: TimeZoneRules
    ) throws(DatePhraseError) -> Timestamp {
        let phrase = try DatePhrase(now, zone, secondOfDay, .due)
        return try phrase.moment([], TimeOfDay(secondOfDay: secondOfDay), nil, nil)
    }

    /// Whether a text is a length of time, and not a time of day such as `15h30` or a word with both readings.
    package static func isLength(_ text: String) -> Bool {
        guard text.utf8.count <= lengthLimit else { return false }
        var words = PhraseWords(text)
        return words.timeOrLength == nil && words.duration() != nil
    }

    /// Returns the time of day `15:30` for `1530`, or `nil` if a text is not four digits of a time.
    package static func clock(ofDigits text: some StringProtocol) -> String? {
        guard text.isDigits(4...4), let number = Int(text), number / 100 < 24, number % 100 < 60 else {
            return nil
        }
        return "\(text.prefix(2)):\(text.suffix(2))"
    }

    /// Whether a text names only a time of day, such as `18:00`, which means the next such time.
    package static func namesNoDay(_ text: String) -> Bool {
        guard text.utf8.count <= lengthLimit else { return false }
        var words = PhraseWords(text)
        words.takeLeadIn()
        guard words.duration() == nil else { return false }
        return (try? words.timeOfDay()) != nil && words.isEmpty
    }

    private init(
        _ now: Timestamp, _ zone: TimeZoneRules, _ defaultTime: Int, _ purpose: Purpose
    ) throws(DatePhraseError) {
        // `in 3 minutes` ends at a full second.
        self.now = Timestamp(secondsSince1970: now.secondsSince1970.rounded(.down))
        guard let today = zone.civil(at: self.now) else {
            throw DatePhraseError(reason: "the clock has no valid date")
        }
        self.today = today
        self.zone = zone
        self.defaultTime = defaultTime
        self.purpose = purpose
    }

    // MARK: - The whole text

    private func reading(_ text: String) throws(DatePhraseError) -> Reading {
        guard text.utf8.count <= Self.lengthLimit else {
            throw DatePhraseError(reason: "a time has at most \(Self.lengthLimit) bytes")
        }
        let typed = text.split(whereSeparator: \.isWhitespace)
        if typed.isEmpty { throw DatePhraseError(reason: "no time given") }
        let plain = typed.drop(while: PhraseWords.isLeadIn).joined(separator: " ")
        if let moment = RFC3339.moment(plain) ?? epoch(plain) { return Reading(moment: moment) }
        var words = PhraseWords(text)
        words.takeLeadIn()
        if let moment = try length(words) { return Reading(moment: moment) }
        if words.take("now") {
            if words.isEmpty { return Reading(moment: now) }
            return Reading(moment: try shifted(now, &words))
        }
        return try dayAndTime(&words)
    }

    /// Reads the seconds since 1970, such as `@1795591739`.
    private func epoch(_ text: String) -> Timestamp? {
        let digits = text.dropFirst()
        guard text.first == "@", digits.isDigits(1...12), let seconds = Double(digits) else { return nil }
        let moment = Timestamp(secondsSince1970: seconds)
        return zone.civil(at: moment) == nil ? nil : moment
    }

    /// Reads a length such as `in 20 minutes`, `3 days from now` or `5 min ago`.
    ///
    /// Returns `nil` if the words are not only a length.
    private func length(_ words: PhraseWords) throws(DatePhraseError) -> Timestamp? {
        var words = words
        if let year = words.timeOrYear { throw year }
        // `snooze 14h` is a length, but `snooze until 14h` names an end.
        let isLength =
            purpose == .past
            || purpose == .snooze && !words.all.dropLast(words.words.count).contains { $0 != "for" }
        if let hours = isLength ? words.timeOrManyHours : words.timeOrLength { throw hours }
        if purpose == .past {
            var length = words
            if var duration = length.takeDuration(), length.isEmpty || length.take("ago"), length.isEmpty {
                duration = duration.negated
                return try later(by: duration)
            }
        }
        if let duration = words.duration(isMarked: isLength) {
            if duration == DurationPhrase(), purpose == .due || purpose == .snooze {
                throw DatePhraseError(
                    reason: "a time span of 0 ends at once", similar: purpose == .due ? ["now"] : [])
            }
            return try later(by: duration)
        }
        if words.lengthsInOrder != nil { throw DatePhraseError(reason: DurationPhrase.orderOfParts) }
        guard let duration = words.takeDuration() else { return nil }
        let isPast = words.take("ago")
        guard isPast || words.take("from", "now") || words.take("later"), words.isEmpty else { return nil }
        return try later(by: isPast ? duration.negated : duration)
    }

    private func later(by duration: DurationPhrase) throws(DatePhraseError) -> Timestamp {
        guard let moment = duration.added(to: now, zone: zone) else { throw .outOfRange }
        return moment
    }

    /// Takes `+ 3 days` or `-2h` after a time.
    private func shifted(_ moment: Timestamp, _ words: inout PhraseWords) throws(DatePhraseError) -> Timestamp
    {
        let text = words.rest
        var isPast = false
        if let word = words.words.first, word.hasPrefix("-") {
            isPast = true
            words.takeFirst()
            if word.count > 1 { words.words = ([word.dropFirst()] + words.words)[...] }
        } else if !words.words.starts(with: ["+"]), words.words.first?.hasPrefix("+") != true {
            throw words.notUnderstood
        }
        if !isPast { _ = words.takeDurationMark() }
        guard let duration = words.takeDuration(), words.isEmpty else {
            throw DatePhraseError(
                reason: "'\(text)' is not a time \(text.contains(":") ? "zone" : "span")",
                isOfOtherWords: true)
        }
        guard let result = (isPast ? duration.negated : duration).added(to: moment, zone: zone) else {
            throw .outOfRange
        }
        return result
    }

    // MARK: - Days and times

    private func dayAndTime(_ words: inout PhraseWords) throws(DatePhraseError) -> Reading {
        var days: [DayPhrase] = []
        var time: TimeOfDay?
        var year: Int?
        var place: ZonePhrase?
        /// A number beside a day of the week.
        var number: Int?
        while !words.isEmpty {
            // After a month a number is its day.
            let isDayNamed = days.contains { !$0.isWeekday && !$0.isMonth }
            let zonePhrase = time != nil && place == nil ? words.zone(in: zone) : nil
            if time != nil || !days.isEmpty, words.startsWithSign, zonePhrase == nil { break }
            if let found = zonePhrase {
                words.takeFirst()
                place = found
            } else if year == nil, days.contains(where: \.isAnnual),
                let found = words.year(isTimeNamed: time != nil)
            {
                words.takeFirst()
                year = found
            } else if time != nil, isDayNamed, let distance = words.takeDistance() {
                try check(distance, try moment(days, time, year, place))
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
        if let number, days.count == 1, try !takesAsDay(number, &days, words, isTimeNamed: time != nil) {
            time = TimeOfDay(secondOfDay: (1...6).contains(number) ? (number + 12) * 3_600 : number * 3_600)
        }
        if days.count == 0, time == nil { throw words.notUnderstood }
        if year == nil, days.contains(where: \.isAnnual), let error = words.timeOrYearBeforeDay {
            throw error
        }
        let civil = try civil(days, time, year)
        var reading = Reading(moment: try moment(of: civil, place))
        if !words.isEmpty {
            reading.moment = try shifted(reading.moment, &words)
        } else if place == nil {
            reading.secondOfDay = civil.secondOfDay
        }
        reading.isDayAlone = time == nil && days.allSatisfy { $0.partOfDay == nil }
        reading.isEnd = days.contains(where: \.isEnd)
        reading.note = note(days, time, reading.moment)
        // Midnight, the last minute and a day without a time do not name a time of the clock.
        if reading.note == nil, place == nil, let time, time.kind == .clock,
            time.secondOfDay < CivilDateTime.secondsPerDay
        {
            reading.note = note(ofClockChangeAt: civil, reading.moment)
        }
        return reading
    }

    /// Returns the note about a time that a change of the clocks skips or repeats.
    private func note(ofClockChangeAt civil: CivilDateTime, _ moment: Timestamp) -> String? {
        Self.note(ofClockChangeAt: civil, moment, in: zone)
    }

    /// Returns the note about a time of day that a change of the clocks skips or repeats on the day of `moment`.
    package static func note(
        ofClockChangeAt secondOfDay: Int, on moment: Timestamp, in zone: TimeZoneRules
    ) -> String? {
        guard let date = zone.civil(at: moment)?.date else { return nil }
        return note(ofClockChangeAt: CivilDateTime(date, secondOfDay: secondOfDay), moment, in: zone)
    }

    private static func note(
        ofClockChangeAt civil: CivilDateTime, _ moment: Timestamp, in zone: TimeZoneRules
    ) -> String? {
        let moments = zone.moments(of: civil)
        if moments.isEmpty, let used = zone.civil(at: zone.moment(of: civil)) {
            return DatePhraseError.skipped(civil).reason + "; \(used.clock) is used"
        }
        guard moments.count > 1, let second = moments.last else { return nil }
        let twice = "\(civil.clock) occurs twice on \(civil.date.words), because the clocks go back"
        if moment == second { return "\(twice); the second one is used" }
        return
            "\(twice); the first one is used; "
            + "for the second, type '\(civil.date.words) \(civil.clock) \(zone.abbreviation(at: second))'"
    }

    private func note(_ days: [DayPhrase], _ time: TimeOfDay?, _ moment: Timestamp) -> String? {
        if days.count == 1, let other = days[0].other { return "'\(days[0].text)' is \(other)" }
        guard time?.kind == .midnight, time?.secondOfDay == 0, let day = days.first,
            let date = zone.civil(at: moment)?.date, let next = date.adding(days: 1)
        else { return nil }
        return "midnight is the beginning of \(day.text); for its end, type '\(next.words) 0:00'"
    }

    /// Whether the number beside a day of the week is a day of the month, as in `fri 27`, and not an hour.
    private func takesAsDay(
        _ number: Int, _ days: inout [DayPhrase], _ words: PhraseWords, isTimeNamed: Bool
    ) throws(DatePhraseError) -> Bool {
        let dayOfMonth = DayPhrase(
            rule: .monthly { CivilDate(year: $0, month: $1, day: number) }, text: "\(number)")
        if isTimeNamed || number > 23 {
            days.append(dayOfMonth)
            return true
        }
        let context = DayContext(today: today.date, isInFuture: true, purpose: purpose)
        guard let date = try dayOfMonth.candidates(context).first, days[0].matches(date) else { return false }
        let hour = (1...6).contains(number) ? number + 12 : number
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

    private func moment(
        _ days: [DayPhrase], _ time: TimeOfDay?, _ year: Int?, _ place: ZonePhrase?
    ) throws(DatePhraseError) -> Timestamp {
        try moment(of: try civil(days, time, year), place)
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
        of civil: CivilDateTime, _ place: ZonePhrase?
    ) throws(DatePhraseError) -> Timestamp {
        guard let place else { return moment(of: civil) }
        let moment = try place.moment(of: civil, in: zone)
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

extension PhraseWords {
    /// Takes words before a time that do not change it, such as `by`, `until` or `due on`.
    mutating func takeLeadIn() {
        while words.count > 1, take(anyOf: Self.leadIn) {}
    }

    private static let leadIn: Set<String> = ["by", "due", "until", "till", "til", "for"]

    /// Whether a word before a time does not change it.
    static func isLeadIn(_ word: Substring) -> Bool { leadIn.contains(word.lowercased()) }

    /// Whether the next words are all but the words before a time that do not change it.
    private var isAfterLeadIn: Bool {
        all.dropLast(words.count).allSatisfy { Self.leadIn.contains(String($0)) }
    }

    var startsWithSign: Bool { words.first.map { $0.hasPrefix("+") || $0.hasPrefix("-") } ?? false }

    /// The error for the words that are left.
    var notUnderstood: DatePhraseError {
        if let word = words.first, words.count == 1, isAfterLeadIn, word.isDigits(1...2),
            let number = Int(word)
        {
            let readings =
                (number < 24 ? ["\(number):00"] : [])
                + ((1...31).contains(number) ? [Self.ordinal(number)] : [])
            if readings.count == 2 { return .ambiguous(readings) }
            if readings.count == 1 {
                return DatePhraseError(reason: "a number alone is not a time", similar: readings)
            }
        }
        if let word = words.first, words.count == 2, all.count == 2, word.isDigits(1...2),
            let hour = Int(word),
            hour < 24, let day = self.word(1), ["today", "tomorrow", "tonight"].contains(day)
        {
            return DatePhraseError(reason: "a number alone is not a time", similar: ["at \(hour) \(day)"])
        }
        // `half three` is 3:30 in Britain, and 2:30 in languages that have the same words for it.
        if words.first == "half", words.count > 1, let (hour, _) = NumberWords.number(words.dropFirst()),
            (2...12).contains(hour)
        {
            let rest = words.dropFirst(2).map { " \($0)" }.joined()
            return .ambiguous(["half past \(hour)\(rest)", "half past \(hour - 1)\(rest)"])
        }
        if words.first == "in" || words.first == "+" {
            return DatePhraseError(
                reason: "'\(words.dropFirst().joined(separator: " "))' is not a time span",
                isOfOtherWords: true)
        }
        return DatePhraseError(
            reason: words.count == all.count ? "it names no day and no time" : "'\(rest)' is not understood",
            isOfOtherWords: true)
    }

    static func ordinal(_ number: Int) -> String {
        let suffix =
            switch (number % 10, number / 10) {
            case (_, 1): "th"
            case (1, _): "st"
            case (2, _): "nd"
            case (3, _): "rd"
            default: "th"
            }
        return "\(number)\(suffix)"
    }

    /// The error for `15h`, `8h30` or `14h00m` alone, which can be a time of day or a length, or `nil` for other words.
    var timeOrLength: DatePhraseError? {
        guard let word = words.first else { return nil }
        let isTwo = words.count == 2 && words.last == "h"
        guard words.count == 1 || isTwo else { return nil }
        if let error = timeOrManyHours { return error }
        guard let hours = LetteredHours(isTwo ? word + "h" : word), hours.use == nil else { return nil }
        return .ambiguous([hours.length, hours.time])
    }

    /// The error for `1700h` alone, which can be a time of day or a length of months, or `nil` for other words.
    fileprivate var timeOrManyHours: DatePhraseError? {
        guard let word = words.first else { return nil }
        let isTwo = words.count == 2 && words.last == "h"
        guard words.count == 1 || isTwo else { return nil }
        let digits = isTwo ? word : word.last == "h" ? word.dropLast() : ""
        guard let clock = DatePhrase.clock(ofDigits: digits), let number = Int(digits) else { return nil }
        return .ambiguous(["in \(number) hours", clock])
    }

    /// The error for `2030` alone, which can be a time of day or a year, or `nil` for other words.
    fileprivate var timeOrYear: DatePhraseError? {
        guard words.count == 1, let time = words.first.flatMap(Self.time(ofYear:)) else { return nil }
        return .ambiguous([time, "1 jan \(words[words.startIndex])"])
    }

    /// The error for `2030 1 dec`, where the number can be the year of the day, or `nil` for other words.
    fileprivate var timeOrYearBeforeDay: DatePhraseError? {
        guard let year = all.first, let time = Self.time(ofYear: year) else { return nil }
        let day = all.dropFirst().joined(separator: " ")
        return .ambiguous(["\(day) \(time)", "\(day) \(year)"])
    }

    /// Returns `20:30` for `2030`, or `nil` if a number is not both a time and a year.
    private static func time(ofYear word: Substring) -> String? {
        guard word.isDigits(4...4), let year = Int(word), (2000...2059).contains(year) else { return nil }
        return "\(word.prefix(2)):\(word.suffix(2))"
    }

    /// Whether only a number and a day of the week follow, as in `9 fri`.
    fileprivate var isNumberBeforeWeekday: Bool {
        words.count == 2 && dayOrHour() != nil && word(1).flatMap(Self.weekday) != nil
    }

    /// Returns a number that can be a day of a month or an hour, or `nil` for other words.
    func dayOrHour() -> Int? {
        guard let word = words.first, word.isDigits(1...2), let number = Int(word), (1...31).contains(number)
        else { return nil }
        return number
    }

    /// Returns the year after a day, or `nil` if the next word is not four digits or is a time.
    func year(isTimeNamed: Bool) -> Int? {
        guard let word = words.first, word.isDigits(4...4), let year = Int(word) else { return nil }
        var rest = self
        rest.takeFirst()
        let isTimeNext = (try? rest.time(in: nil, isDayNamed: true)) != nil
        return isTimeNamed || isTimeNext || (1900...2199).contains(year) || year % 100 > 59 || year > 2359
            ? year : nil
    }

    /// Takes a distance, as lists show it beside a time: `in 4 days`, `5 min ago` or `now`.
    mutating func takeDistance() -> (text: String, duration: DurationPhrase)? {
        let before = words
        let text = rest
        if take("now"), isEmpty { return (text, DurationPhrase()) }
        let isMarked = take("in")
        if let duration = takeDuration(), isMarked != take("ago"), isEmpty {
            return (text, isMarked ? duration : duration.negated)
        }
        words = before
        return nil
    }
}
