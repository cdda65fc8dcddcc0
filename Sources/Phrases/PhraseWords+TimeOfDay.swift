extension PhraseWords {
    /// What a clock shows.
    private struct ClockTime {
        let text: Substring
        let secondOfDay: Int
        /// Whether it may as well be twelve hours later.
        let lacksHalf: Bool

        /// The second that is meant if no part of the day is named: from 1 to 6 that of the afternoon.
        var plainSecondOfDay: Int {
            let isEarly = (1...6).contains(secondOfDay / 3_600) && lacksHalf && !text.hasPrefix("0")
            return isEarly ? secondOfDay + 12 * 3_600 : secondOfDay
        }

        func secondOfDay(in part: PartOfDay) throws(DatePhraseError) -> Int {
            for second in lacksHalf ? [secondOfDay, secondOfDay + 12 * 3_600] : [secondOfDay]
            where part.hours.contains(second / 3_600) {
                return second
            }
            throw DatePhraseError(reason: "there is no time of day '\(text)' in the \(part)")
        }
    }

    /// `17:00`, `9am`, `9:30 pm`, `noon`, `midnight`, each with or without `at`, `at 9`, `in the evening`, or both, as in
    /// `8 in the evening`; nil when the next word is no time.
    ///
    /// An hour from 1 to 6 without am or pm is one of the afternoon, unless a zero is typed, as in `03:00`.
    ///
    /// - Parameter part: the part of the day that was named before, as by `tonight`.
    package mutating func timeOfDay(in part: PartOfDay? = nil) throws(DatePhraseError) -> Int? {
        if let part = partOfDay() {
            guard let clock = try clockTime() else { return part.secondOfDay }
            return try clock.secondOfDay(in: part)
        }
        guard let clock = try clockTime() else { return nil }
        let isTonight = words.first == "tonight"
        guard let part = partOfDay() ?? part ?? (isTonight ? .evening : nil) else {
            return clock.plainSecondOfDay
        }
        return try clock.secondOfDay(in: part)
    }

    /// `evening`, `in the evening`, `at night`.
    private mutating func partOfDay() -> PartOfDay? {
        let before = words
        _ = take("in", "the") || take("at")
        if let part = words.first.flatMap(PartOfDay.init) {
            takeFirst()
            return part
        }
        words = before
        return nil
    }

    private mutating func clockTime() throws(DatePhraseError) -> ClockTime? {
        let before = words
        let hasAt = take("at")
        guard let word = words.first else {
            words = before
            return nil
        }
        if take("noon") { return ClockTime(text: word, secondOfDay: 12 * 3_600, lacksHalf: false) }
        if take("midnight") { return ClockTime(text: word, secondOfDay: 0, lacksHalf: false) }
        let digits = word.prefix { ("0"..."9").contains($0) || $0 == ":" }
        var half = word[digits.endIndex...]
        guard !digits.isEmpty, ["", "am", "pm"].contains(half) else {
            words = before
            return nil
        }
        takeFirst()
        if half.isEmpty, let next = words.first, next == "am" || next == "pm" {
            half = next
            takeFirst()
        }
        // A number alone may be a day.
        guard digits.contains(":") || !half.isEmpty || hasAt || startsWithPartOfDay else {
            words = before
            return nil
        }
        guard let second = Self.secondOfDay(digits, half: half) else {
            throw DatePhraseError(reason: "there is no time of day '\(word)'")
        }
        return ClockTime(text: word, secondOfDay: second, lacksHalf: half.isEmpty && second < 13 * 3_600)
    }

    private var startsWithPartOfDay: Bool {
        var rest = self
        return rest.partOfDay() != nil
    }

    private static func secondOfDay(_ digits: Substring, half: Substring) -> Int? {
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), parts.allSatisfy({ (1...2).contains($0.count) }),
            parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return nil }
        let numbers = parts.compactMap { Int($0) }
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
