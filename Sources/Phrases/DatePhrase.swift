package import CivilTime

/// A reader of times as people type them: `tomorrow 9am`, `friday 15:30`, `in 20 minutes`, `2026-12-24T18:00`, `1 dec`.
///
/// The whole text must make sense. A word that is left over, or a day or a time that does not exist, is an error and
/// never a guess. A day without a time means `defaultTime`. A time without a day means the next such time.
package struct DatePhrase {
    /// The most bytes of a text, which is more than any typed time has.
    package static let bytesLimit = 500

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

    let now: Timestamp
    let zone: TimeZoneRules
    let today: CivilDateTime
    /// The time of day, in seconds, of a date without a time.
    let defaultTime: Int
    let purpose: Purpose

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
            guard suggests, text.utf8.count <= bytesLimit else { throw error }
            return try phrase.onlyReading(of: text, after: error)
        }
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
        guard text.utf8.count <= bytesLimit else { return false }
        var words = PhraseWords(text)
        return words.timeOrLength() == nil && words.duration() != nil
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
        guard text.utf8.count <= bytesLimit else { return false }
        var words = PhraseWords(text)
        words.takeLeadIn()
        guard words.duration() == nil else { return false }
        return (try? words.timeOfDay()) != nil && words.isEmpty
    }

    init(
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

    func reading(_ text: String) throws(DatePhraseError) -> Reading {
        guard text.utf8.count <= Self.bytesLimit else {
            throw DatePhraseError(reason: "a time has at most \(Self.bytesLimit) bytes")
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
        if let hours = words.timeOrLength(expectsLength: isLength) { throw hours }
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

    func later(by duration: DurationPhrase) throws(DatePhraseError) -> Timestamp {
        guard let moment = duration.added(to: now, zone: zone) else { throw .outOfRange }
        return moment
    }

    /// Takes `+ 3 days` or `-2h` after a time.
    func shifted(_ moment: Timestamp, _ words: inout PhraseWords) throws(DatePhraseError) -> Timestamp {
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
}
