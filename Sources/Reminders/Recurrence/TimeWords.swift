internal import Phrases

/// The words at the end of a name that look like parts of one time.
///
/// A word with other uses counts only beside another one: a month and a number of two digits beside each other, or
/// `next` before a day.
struct TimeWords {
    /// The most words that are considered, which is more than any typed time has.
    private static let mostWords = 12

    private static let days: Set<String> = [
        "today", "tonight", "tomorrow", "tmrw", "tmr", "yesterday", "overmorrow", "noon", "midday",
        "midnight",
    ]
    /// Words before a day or a time.
    private static let leads: Set<String> = ["on", "at", "by", "in"]
    /// Words before a day of the week.
    private static let weekdayLeads: Set<String> = ["next", "this", "last", "coming"]
    /// Words that may be between the others.
    private static let others: Set<String> = [
        "am", "pm", "and", "the", "of", "other", "morning", "afternoon", "evening", "night", "week", "month",
        "year", "weekday", "weekend", "day", "oclock", "half", "past", "quarter", "eod", "eow", "eom", "eoy",
        "starting", "beginning", "except",
    ]

    private let words: [String]

    init(_ words: [Substring]) {
        self.words = words.suffix(Self.mostWords).map { word in
            let text = word.lowercased()
            return text.hasSuffix(",") ? String(text.dropLast()) : text
        }
    }

    /// The number of words from the first word of the time to the end.
    var count: Int {
        var start = words.endIndex
        var first = start
        while start > words.startIndex, isPart(start - 1) {
            start -= 1
            if begins(start) { first = start }
        }
        let leads =
            first < words.endIndex && isWeekday(first) ? Self.leads.union(Self.weekdayLeads) : Self.leads
        if first > start, first < words.endIndex, leads.contains(words[first - 1]) { first -= 1 }
        return words.endIndex - first
    }

    private func isPart(_ index: Int) -> Bool {
        let word = words[index]
        return Self.days.contains(word) || Self.leads.contains(word) || Self.weekdayLeads.contains(word)
            || Self.others.contains(word) || isRepetition(index) || Self.isNumber(word) || isWeekday(index)
            || isMonth(index)
    }

    private func begins(_ index: Int) -> Bool {
        let word = words[index]
        if Self.days.contains(word) || isRepetition(index) || isWeekday(index) || isMonth(index) {
            return true
        }
        guard Self.isNumber(word) else { return false }
        let next = words.indices.contains(index + 1) ? words[index + 1] : nil
        if Self.isVersion(word[...], next: next?[...]) {
            return next.map(Self.isNumber) == true && Self.isDate(word)
        }
        return word.contains { !$0.isNumber } || next != nil && isMonth(index + 1)
    }

    /// Whether a word is a number such as `3.13`, which is more often a version than a time or a date.
    static func isVersion(_ word: Substring, next: Substring?) -> Bool {
        word.contains(".") && !word.hasSuffix(".")
            && word.allSatisfy { ("0"..."9").contains($0) || $0 == "." } && next != "am" && next != "pm"
    }

    /// Whether the numbers of a word with dots can be a day and a month.
    private static func isDate(_ word: String) -> Bool {
        let numbers = word.split(separator: ".").compactMap { Int($0) }
        return (2...3).contains(numbers.count) && (1...31).contains(numbers[0])
            && (1...12).contains(numbers[1])
    }

    /// Whether a word alone names a day or a month.
    static func isDay(_ word: Substring) -> Bool {
        days.contains(String(word)) || PhraseWords.weekday(word) != nil || PhraseWords.month(word) != nil
    }

    private func isRepetition(_ index: Int) -> Bool {
        words[index] == "every" || RecurrencePhrase.isRepetition(words[index][...])
    }

    /// Whether the word is a day of the week, where `sun` and `sat` count only beside a number.
    private func isWeekday(_ index: Int) -> Bool {
        let word = words[index]
        guard PhraseWords.dayAndMonthNames.contains(word), PhraseWords.weekday(word[...]) != nil else {
            return false
        }
        return !["sun", "sat"].contains(word) || isBesideNumber(index)
    }

    private func isMonth(_ index: Int) -> Bool {
        PhraseWords.month(words[index][...]) != nil && isBesideNumber(index)
    }

    private func isBesideNumber(_ index: Int) -> Bool {
        [index - 1, index + 1].contains { words.indices.contains($0) && Self.isNumber(words[$0]) }
    }

    /// Whether a word is a number such as `9`, `9am`, `12:00`, `31st`, `4/5`, `24.12.` or `2026`.
    private static func isNumber(_ word: String) -> Bool {
        let digits = word.prefix { ("0"..."9").contains($0) || ":/.-".contains($0) }
        guard let first = word.first, ("0"..."9").contains(first) else { return false }
        if digits.endIndex == word.endIndex, digits.allSatisfy(\.isNumber) {
            return [1, 2, 4].contains(digits.count)
        }
        return ["", "am", "pm", "a", "p", "h", "st", "nd", "rd", "th"].contains(word[digits.endIndex...])
    }
}
