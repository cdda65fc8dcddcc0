internal import CivilTime
internal import Phrases

extension RecurrencePhrase {
    /// The words of phrases, except numbers and months.
    private static let vocabulary =
        [
            "and", "between", "half", "hour", "hours", "hourly", "minute", "minutes", "day", "daily", "each",
            "end", "evening", "every", "first", "for", "fortnight", "from",
            "last",
            "month", "monthly", "morning", "once", "other", "quarter", "second", "third", "times",
            "until",
            "week", "weekday", "weekend", "weekly", "year", "yearly", "days", "weeks", "months", "years",
        ]
        + ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// The texts that were probably meant by a refused text: hours such as `14h` as times of day, hours of the day
    /// alone as those of an hourly rule, and `10.12` as a day of the year.
    static func corrections(of text: String) -> [String] {
        let text = text.lowercased()
        var clocks = ""
        var word = ""
        for character in text + " " {
            if character.isLetter || character.isNumber {
                word.append(character)
            } else {
                clocks += (LetteredHours(word[...])?.clock ?? word) + String(character)
                word = ""
            }
        }
        clocks.removeLast()
        let window = (try? DayWindow(typed: clocks)) == nil ? [] : ["hour \(clocks)"]
        let words = clocks.split(separator: " ")
        let days = words.compactMap(PhraseWords.day(ofDotted:))
        let dates = words.map { PhraseWords.day(ofDotted: $0) ?? String($0) }.joined(separator: " ")
        return window + (clocks == text ? [] : [clocks]) + (days.isEmpty ? [] : [dates])
    }

    /// The error that names the words that are left, with the nearest known word.
    var incomprehensible: RecurrenceError {
        if words.isEmpty {
            return RecurrenceError(
                reason: "the end of the rule is missing", advice: "try 'week on mon' or 'month on the 15th'")
        }
        let text = words.joined(separator: " ")
        let cause = "'\(text)' is not understood"
        if words.contains("twice") || words.contains("times") || words.contains("thrice") {
            if words.contains("day") || words.contains("daily") {
                return RecurrenceError(reason: cause, advice: "name the times, as in 'daily at 8 and 20'")
            }
            return RecurrenceError(
                reason: cause, advice: "name the days or the times, as in 'mon,thu' or 'day 10 times'")
        }
        if let first = words.first, ["starting", "beginning", "from"].contains(first) {
            return RecurrenceError(
                reason: cause, advice: "name the first time as the due time, as in --due '\(startText)'")
        }
        if words.contains("except") || words.contains("but") {
            return RecurrenceError(reason: cause, advice: "name the remaining days, as in 'mon,tue,thu'")
        }
        if words.first == "after" {
            return RecurrenceError(
                reason: cause, advice: "--after-done counts from when the item is done, as in '3 days'")
        }
        if let (word, known) = misspelling {
            let rest = words.map { $0 == word ? known : String($0) }.joined(separator: " ")
            return RecurrenceError(reason: cause, advice: "did you mean '\(rest)'?")
        }
        return RecurrenceError(
            reason: cause,
            advice: "try 'day', '2 weeks', 'mon,wed', 'month', 'last friday', or a rule such as FREQ=DAILY")
    }

    /// The words after `starting`, without `on` or `from`.
    private var startText: String {
        let rest = words.dropFirst()
        return (["on", "from"].contains(rest.first) ? rest.dropFirst() : rest).joined(separator: " ")
    }

    /// The first unknown word, and the word that was probably meant.
    private var misspelling: (word: Substring, known: String)? {
        for word in words where !Self.vocabulary.contains(String(word)) && word.allSatisfy(\.isLetter) {
            guard word.count > 3, PhraseWords.month(word) == nil, PhraseWords.weekday(word) == nil,
                RuleInterval.unit(word) == nil
            else { continue }
            return EditDistance.nearest(to: String(word), among: Self.vocabulary).map { (word, $0) }
        }
        return nil
    }
}
