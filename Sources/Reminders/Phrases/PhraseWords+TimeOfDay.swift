extension PhraseWords {
    /// What parts of the day mean where no hour is named.
    private static let partsOfDay = [
        "morning": 9 * 3_600, "afternoon": 15 * 3_600, "evening": DayPhrase.evening,
        "night": DayPhrase.evening,
    ]

    /// Whether it is a word such as `evening`.
    static func isPartOfDay(_ word: String) -> Bool { partsOfDay[word] != nil }

    /// `17:00`, `9am`, `9:30 pm`, `noon`, `midnight`, each with or without `at`, `at 9`, or `in the evening`; nil when the
    /// next word is no time.
    mutating func timeOfDay() throws(DatePhraseError) -> Int? {
        let before = words
        if let second = partOfDay() { return second }
        let hasAt = take("at")
        guard let word = words.first else {
            words = before
            return nil
        }
        if take("noon") { return 12 * 3_600 }
        if take("midnight") { return 0 }
        let digits = word.prefix { ("0"..."9").contains($0) || $0 == ":" }
        var half = word[digits.endIndex...]
        guard !digits.isEmpty, ["", "am", "pm"].contains(half) else {
            words = before
            return nil
        }
        if half.isEmpty, let next = words.dropFirst().first, next == "am" || next == "pm" {
            half = next
        }
        guard digits.contains(":") || !half.isEmpty || hasAt else {
            words = before
            return nil
        }
        guard let second = Self.secondOfDay(digits, half: half) else {
            throw DatePhraseError(reason: "there is no time of day '\(word)'")
        }
        takeFirst()
        if !half.isEmpty, word.count == digits.count { takeFirst() }
        return second
    }

    /// `evening`, `in the evening`, `at night`.
    private mutating func partOfDay() -> Int? {
        let before = words
        _ = take("in", "the") || take("at")
        if let second = words.first.flatMap({ Self.partsOfDay[String($0)] }) {
            takeFirst()
            return second
        }
        words = before
        return nil
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
