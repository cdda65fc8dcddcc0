internal import CivilTime

extension PhraseWords {
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

    /// The error for hours alone, such as `15h`, `8h30` or `1700h`, that can be a time of day or a length, or `nil` for
    /// other words.
    ///
    /// - Parameter expectsLength: whether a length is expected, so that only `1700h` has two readings.
    func timeOrLength(expectsLength: Bool = false) -> DatePhraseError? {
        guard let hours = hoursAlone, hours.meaning(expectsLength ? .aloneAsLength : .alone) == .either else {
            return nil
        }
        return .ambiguous([hours.length, hours.time])
    }

    /// The hours of which all words consist, such as `8h` or `8 h`, or `nil` for other words.
    private var hoursAlone: LetteredHours? {
        guard let word = words.first else { return nil }
        let isTwo = words.count == 2 && words.last == "h"
        guard words.count == 1 || isTwo else { return nil }
        return LetteredHours(isTwo ? word + "h" : word)
    }

    /// The error for `2030` alone, which can be a time of day or a year, or `nil` for other words.
    var timeOrYear: DatePhraseError? {
        guard words.count == 1, let time = words.first.flatMap(Self.time(ofYear:)) else { return nil }
        return .ambiguous([time, "1 jan \(words[words.startIndex])"])
    }

    /// The error for `2030 1 dec`, where the number can be the year of the day, or `nil` for other words.
    var timeOrYearBeforeDay: DatePhraseError? {
        guard let year = all.first, let time = Self.time(ofYear: year) else { return nil }
        let day = all.dropFirst().joined(separator: " ")
        return .ambiguous(["\(day) \(time)", "\(day) \(year)"])
    }

    /// Returns `20:30` for `2030`, or `nil` if a number is not both a time and a year.
    private static func time(ofYear word: Substring) -> String? {
        guard word.isDigits(4...4), let year = Int(word), (2000...2059).contains(year) else { return nil }
        return "\(word.prefix(2)):\(word.suffix(2))"
    }
}
