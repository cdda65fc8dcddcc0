internal import CivilTime

/// A time of day in a phrase.
struct TimeOfDay {
    enum Kind {
        case clock
        case midnight
        /// The last minute of the day.
        case end
        /// The time at which the phrase is typed.
        case same
    }

    /// Seconds since midnight, or a whole day for the midnight at the end of the day.
    var secondOfDay: Int
    var kind = Kind.clock
    /// The time twelve hours earlier, if an hour from 1 to 6 was read as one of the afternoon.
    var morning: Int?
    var isOf24HourClock = false

    static let end = TimeOfDay(secondOfDay: CivilDateTime.secondsPerDay - 60, kind: .end)
}

/// A time that a clock shows.
struct ClockTime {
    let text: String
    let secondOfDay: Int
    /// Whether the time can also be twelve hours later.
    var lacksHalf = false
    /// Whether the hour is above 12, so that it is on the 24-hour clock.
    var isOf24HourClock = false

    /// The intended time if no part of the day is named.
    ///
    /// A time from 1 to 6 o'clock is in the afternoon, unless it begins with a zero.
    var time: TimeOfDay {
        let hour = secondOfDay / 3_600
        let laterHours = lacksHalf && !text.hasPrefix("0") ? HourMeaning.hour(of: hour) - hour : 0
        return TimeOfDay(
            secondOfDay: secondOfDay + laterHours * 3_600, kind: kind,
            morning: laterHours == 0 ? nil : secondOfDay, isOf24HourClock: isOf24HourClock)
    }

    private var kind: TimeOfDay.Kind { text == "midnight" ? .midnight : .clock }

    func time(in part: PartOfDay) throws(DatePhraseError) -> TimeOfDay {
        for second in lacksHalf ? [secondOfDay, secondOfDay + 12 * 3_600] : [secondOfDay]
        where part.hours.contains(second / 3_600) {
            return TimeOfDay(secondOfDay: second)
        }
        if kind == .midnight, part == .evening || part == .night {
            return TimeOfDay(secondOfDay: CivilDateTime.secondsPerDay)
        }
        throw DatePhraseError(reason: "there is no time of day '\(text)' in the \(part)")
    }
}

/// A time of day in a list. The others in the list can show whether it is in the afternoon.
package struct ListedTime {
    /// The time in seconds since midnight if it is the only one.
    let secondOfDay: Int
    /// The time twelve hours earlier, if an hour from 1 to 6 was read as one of the afternoon.
    let morning: Int?
    /// Whether its hour is above 12.
    let isOf24HourClock: Bool

    /// Returns the times in seconds since midnight.
    ///
    /// All hours are on the 24-hour clock if one is above 12, or if two times would be the same otherwise.
    package static func seconds(of times: [ListedTime]) -> [Int] {
        let seconds = times.map(\.secondOfDay)
        let areOf24HourClock =
            times.contains(where: \.isOf24HourClock) || Set(seconds).count < seconds.count
        return areOf24HourClock ? times.map { $0.morning ?? $0.secondOfDay } : seconds
    }
}

extension PhraseWords {
    /// Takes a time of day, in seconds since midnight, or returns `nil` if the next words are not a time.
    ///
    /// Examples are `17:00`, `9am`, `9:30 pm`, `half past 3`, `noon`, `at 9`, `in the evening` and `8 in the evening`.
    /// An hour from 1 to 6 without am or pm is in the afternoon, unless it begins with a zero, as in `03:00`.
    package mutating func timeOfDay() throws(DatePhraseError) -> Int? {
        try listedTime()?.secondOfDay
    }

    /// Takes a time of day that may be one of several.
    package mutating func listedTime() throws(DatePhraseError) -> ListedTime? {
        try takeIf { (words) throws(DatePhraseError) in
            guard let time = try words.time(in: nil, isDayNamed: false), time.kind != .same,
                time.secondOfDay < CivilDateTime.secondsPerDay
            else { return nil }
            return ListedTime(
                secondOfDay: time.secondOfDay, morning: time.morning, isOf24HourClock: time.isOf24HourClock)
        }
    }

    /// Takes the time that the next words name, or returns `nil` if they are not a time.
    ///
    /// - Parameters:
    ///   - part: the part of the day that was named before, as in `tonight`.
    ///   - isDayNamed: whether a number alone must be an hour.
    mutating func time(in part: PartOfDay?, isDayNamed: Bool) throws(DatePhraseError) -> TimeOfDay? {
        if takeEndOfDay() { return .end }
        if take("this", "time") || take("same", "time") || take("at", "the", "same", "time") {
            return TimeOfDay(secondOfDay: 0, kind: .same)
        }
        if let part = takePartOfDay() {
            guard let clock = try clockTime(isDayNamed: true) else {
                return TimeOfDay(secondOfDay: part.secondOfDay)
            }
            return try clock.time(in: part)
        }
        guard let clock = try clockTime(isDayNamed: isDayNamed) else { return nil }
        let isTonight = words.first == "tonight"
        guard let part = takePartOfDay() ?? part ?? (isTonight ? .evening : nil) else { return clock.time }
        return try clock.time(in: part)
    }

    private mutating func takeEndOfDay() -> Bool {
        take("eod") || take("end", "of", "day") || take("end", "of", "the", "day")
    }

    /// Takes a part of the day: `evening`, `in the evening`, `at night`.
    private mutating func takePartOfDay() -> PartOfDay? {
        let before = words
        _ = take("in", "the") || take("at")
        if let part = words.first.flatMap(PartOfDay.init) {
            takeFirst()
            return part
        }
        words = before
        return nil
    }

    private var startsWithPartOfDay: Bool {
        var rest = self
        return rest.takePartOfDay() != nil
    }

    private mutating func clockTime(isDayNamed: Bool) throws(DatePhraseError) -> ClockTime? {
        try takeIf { (words) throws(DatePhraseError) in
            let hasAt = words.take("at")
            if let time = words.namedTime() ?? words.spokenTime(hasAt: hasAt) { return time }
            return try words.writtenTime(hasAt: hasAt, isDayNamed: isDayNamed)
        }
    }

    /// Takes a named time: `noon`, `12 midnight`.
    mutating func namedTime() -> ClockTime? {
        let hours = ["noon": 12, "midday": 12, "midnight": 0, "teatime": 16]
        let isTwelve = word(0) == "12" && ["noon", "midday", "midnight"].contains(word(1))
        guard let word = word(isTwelve ? 1 : 0), let hour = hours[String(word)] else { return nil }
        take(count: isTwelve ? 2 : 1)
        return ClockTime(text: String(word), secondOfDay: hour * 3_600)
    }

    /// Takes a time in words: `half past 3`, `a quarter to nine`, `ten minutes past 4`, `nine oclock`.
    ///
    /// After `at` it also takes `nine thirty`.
    private mutating func spokenTime(hasAt: Bool) -> ClockTime? {
        let before = words
        if let time = relativeTime() { return time }
        words = before
        guard let word = words.first, word.first?.isLetter == true, let hour = takeNumber(0...23) else {
            return nil
        }
        if take("oclock") || words.first == "am" || words.first == "pm" {
            return withHalf("\(hour)", hour * 3_600)
        }
        if hasAt, !Self.isUnit(words.first) {
            let minute = takeNumber(0...59) ?? 0
            return withHalf("\(hour)", hour * 3_600 + minute * 60)
        }
        words = before
        return nil
    }

    private mutating func relativeTime() -> ClockTime? {
        var minutes: Int
        var isRange = false
        var isQuarter = false
        if take("half") {
            minutes = 30
        } else if take("a", "quarter") || take("quarter") {
            minutes = 15
            isQuarter = true
        } else {
            // `9 to 18` are hours of the day.
            isRange = words.first?.first?.isASCIIDigit ?? false
            guard let number = takeNumber(1...59) else { return nil }
            minutes = number
            if take("minutes") || take("min") { isRange = false }
        }
        if isRange {
            guard take("past") else { return nil }
        } else if take("to") || isQuarter && take("of") {
            guard minutes != 30 else { return nil }
            minutes = -minutes
        } else if !take("past"), minutes == 30 || !take("after") {
            return nil
        }
        guard let hour = takeNumber(0...23) else { return nil }
        // `a quarter to one` is in the first hour after noon.
        let hasHalf = words.first == "am" || words.first == "pm"
        let start = hour == 1 && minutes < 0 && !hasHalf ? 13 : hour == 0 && minutes < 0 ? 24 : hour
        return withHalf("\(hour)", start * 3_600 + minutes * 60)
    }

    private mutating func takeNumber(_ range: ClosedRange<Int>) -> Int? {
        guard let (value, count) = NumberWords.number(words), range.contains(value) else { return nil }
        take(count: count)
        return value
    }

    /// Returns a time of the twelve-hour clock, with the `am` or `pm` that may follow.
    private mutating func withHalf(_ text: String, _ second: Int) -> ClockTime? {
        _ = take("oclock")
        let twelve = 12 * 3_600
        if take("am") {
            return second < twelve + 3_600 ? ClockTime(text: text, secondOfDay: second % twelve) : nil
        }
        if take("pm") {
            return second < twelve + 3_600
                ? ClockTime(text: text, secondOfDay: second % twelve + twelve) : nil
        }
        return ClockTime(
            text: text, secondOfDay: second, lacksHalf: second < 13 * 3_600,
            isOf24HourClock: second >= 13 * 3_600)
    }

    /// Takes a time in digits: `17:00`, `9am`, `5:30p`, `15.30`, `15h30`, `1530`, `at 9`.
    private mutating func writtenTime(hasAt: Bool, isDayNamed: Bool) throws(DatePhraseError) -> ClockTime? {
        guard let word = words.first, word.first?.isASCIIDigit == true,
            let written = WrittenTime(word, next: self.word(1))
        else { return nil }
        let isKnownTime = hasAt || isDayNamed
        switch written.form {
        case .colons: break
        case .hour:
            let isHour =
                !written.half.isEmpty || hasAt || self.word(1) == "oclock" || isHour(written, isDayNamed)
            guard isHour else { return nil }
        case .dots:
            // Three numbers are a date.
            guard written.secondOfDay != nil, hasAt || word.count(where: { $0 == "." }) == 1 else {
                return nil
            }
            if !isKnownTime, written.half.isEmpty, let day = Self.day(ofDotted: word) {
                // Beside a time, it is a date: `10.12 9am`.
                if isTimeAfterFirst { return nil }
                throw ambiguous(word, [String(word.map { $0 == "." ? ":" : $0 }), day])
            }
        case .letter: guard written.secondOfDay != nil else { return nil }
        case .letterAlone:
            guard isKnownTime, written.secondOfDay != nil else { return nil }
        case .digits:
            // `1000 days` is not a time, and 2026 before a month is a year.
            let isOther = self.word(1).map { Self.isUnit($0) || Self.month($0) != nil } ?? false
            guard written.secondOfDay != nil, !isOther || !written.half.isEmpty else { return nil }
        }
        take(count: written.wordCount)
        if take("oclock"), written.half.isEmpty, words.first == "am" || words.first == "pm" {
            return withHalf("\(written.hour)", written.hour * 3_600)
        }
        guard let second = written.secondOfDay else {
            throw DatePhraseError(reason: "there is no time of day '\(word)'")
        }
        return ClockTime(
            text: String(word), secondOfDay: second, lacksHalf: written.half.isEmpty && second < 13 * 3_600,
            isOf24HourClock: written.half.isEmpty && second >= 13 * 3_600)
    }

    /// Whether the words after the next one begin with a time of day, and not only with a part of the day.
    private var isTimeAfterFirst: Bool {
        var rest = self
        rest.takeFirst()
        if rest.takeEndOfDay() { return true }
        do throws(DatePhraseError) {
            return try rest.clockTime(isDayNamed: false) != nil
        } catch {
            return false
        }
    }

    /// Whether the next word is an hour such as `18h`, and not a number such as `18`, which can be a day beside a day
    /// of the week.
    var startsWithLetteredHour: Bool {
        words.first.flatMap { WrittenTime($0, next: nil) }?.form == .letterAlone
    }

    /// Whether a number alone can only be an hour, and not a day of a month, an amount or a year.
    private func isHour(_ written: WrittenTime, _ isDayNamed: Bool) -> Bool {
        var rest = self
        rest.takeFirst()
        if rest.startsWithPartOfDay { return true }
        guard isDayNamed, written.secondOfDay != nil else { return false }
        guard let next = rest.words.first else { return true }
        return Self.month(next) == nil && !Self.isUnit(next) && !["of", "time", "times"].contains(next)
    }

    /// Returns `12 nov` for `12.11`, or `nil` if the numbers are not a day of the year.
    package static func day(ofDotted word: Substring) -> String? {
        let numbers = word.split(separator: ".").compactMap { Int($0) }
        guard numbers.count == 2, (1...12).contains(numbers[1]),
            (1...CivilDate.days(inMonth: numbers[1], of: 2000)).contains(numbers[0])
        else { return nil }
        return "\(numbers[0]) \(monthNames[numbers[1] - 1].prefix(3))"
    }

    /// Returns the error for a word with several readings.
    func ambiguous(_ word: Substring, _ readings: [String]) -> DatePhraseError {
        // The word is the next one, unless it has been taken already.
        let next = words.startIndex < words.endIndex ? all.endIndex - words.count : all.endIndex
        let index = words.first == word ? next : all.firstIndex(of: word) ?? next
        return .ambiguous(
            readings.map { reading in
                var texts = all.map(String.init)
                if all.indices.contains(index) { texts[index - all.startIndex] = reading }
                return texts.joined(separator: " ")
            })
    }
}

/// A time in digits.
struct WrittenTime {
    enum Form {
        /// `9:30`
        case colons
        /// `9`, `9am`
        case hour
        /// `9.30`
        case dots
        /// `9h30`
        case letter
        /// `9h`
        case letterAlone
        /// `0930`
        case digits
    }

    let form: Form
    /// `am`, `pm` or empty.
    let half: Substring
    private let numbers: [Int]
    private let isHalfWord: Bool

    /// The number of words in the time.
    var wordCount: Int { isHalfWord ? 2 : 1 }
    var hour: Int { numbers[0] }

    init?(_ word: Substring, next: Substring?) {
        let body = word.prefix { $0.isASCIIDigit || ":.h".contains($0) }
        var half = word[body.endIndex...]
        if half == "a" || half == "p" { half += "m" }
        guard ["", "am", "pm"].contains(half) else { return nil }
        isHalfWord = half.isEmpty && (next == "am" || next == "pm")
        if isHalfWord, let next { half = next }
        self.half = half
        let separators: [Character] = [":", ".", "h"]
        let separator = separators.first { body.contains($0) }
        var parts = [body]
        if let separator {
            parts = body.split(separator: separator, omittingEmptySubsequences: false)
        } else if (3...4).contains(body.count) {
            guard body.count == 4 || !half.isEmpty else { return nil }
            parts = [body.dropLast(2), body.suffix(2)]
        }
        switch separator {
        case ":": form = .colons
        case ".": form = .dots
        case "h": form = parts.last == "" ? .letterAlone : .letter
        default: form = parts.count == 1 ? .hour : .digits
        }
        if form == .letterAlone { parts.removeLast() }
        // An ill-formed time with colons gets an hour that does not exist.
        let isWellFormed =
            parts.count <= 3 && parts[0].isDigits(1...2)
            && parts.dropFirst().allSatisfy { $0.isDigits(2...2) }
        guard isWellFormed || form == .colons else { return nil }
        numbers = isWellFormed ? parts.compactMap { Int($0) } : [99]
    }

    /// The time in seconds since midnight, or `nil` if there is no such time.
    var secondOfDay: Int? {
        var hour = numbers[0]
        if !half.isEmpty {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + (half == "pm" ? 12 : 0)
        }
        let minute = numbers.count > 1 ? numbers[1] : 0
        let second = numbers.count > 2 ? numbers[2] : 0
        guard hour < 24, minute < 60, second < 60 else { return nil }
        return hour * 3_600 + minute * 60 + second
    }
}
