internal import CivilTime

extension PhraseWords {
    /// `in 20 minutes`, `+2h30m`, `10m`: takes all words, or none and gives nil when they are no duration, or only
    /// begin with one as `in 3 days at 9am` does.
    package mutating func duration() throws(DatePhraseError) -> DurationPhrase? {
        var text = rest
        let isMarked = text.hasPrefix("in ") && !text.hasPrefix("in the ") || text.hasPrefix("+")
        if isMarked { text.removeFirst(text.hasPrefix("+") ? 1 : 3) }
        guard let duration = Self.duration(text) else {
            if isMarked, calendarDistance() == nil {
                throw DatePhraseError(reason: "'\(text)' is no length of time")
            }
            return nil
        }
        words = []
        return duration
    }

    /// That of `in 3 days`, `in 2w`, `in a month` at the front, and how many words it has; nil when there is none.
    func calendarDistance() -> (distance: DurationPhrase, wordCount: Int)? {
        guard words.first == "in" else { return nil }
        for count in [2, 3] where words.count >= count {
            let text = words.prefix(count).dropFirst().joined(separator: " ")
            if let distance = Self.duration(text), distance.seconds == 0 { return (distance, count) }
        }
        return nil
    }

    private static func duration(_ text: String) -> DurationPhrase? {
        var phrase = DurationPhrase()
        var rest = text[...]
        var sawPart = false
        while true {
            rest = rest.drop { $0 == " " }
            if rest.hasPrefix("and ") { rest = rest.dropFirst(4) }
            guard !rest.isEmpty else { break }
            let number: Double
            if rest.hasPrefix("half a ") || rest.hasPrefix("half an ") {
                number = 0.5
                rest = rest.dropFirst(5).drop { $0 != " " }
            } else if rest.hasPrefix("a ") || rest.hasPrefix("an ") {
                number = 1
                rest = rest.drop { $0 != " " }
            } else {
                let digits = rest.prefix { ("0"..."9").contains($0) || $0 == "." }
                guard let value = Double(digits), digits.count <= 9 else { return nil }
                number = value
                rest = rest[digits.endIndex...]
            }
            rest = rest.drop { $0 == " " }
            let unit = rest.prefix { ("a"..."z").contains($0) }
            rest = rest[unit.endIndex...]
            guard add(number, String(unit), to: &phrase) else { return nil }
            sawPart = true
        }
        return sawPart ? phrase : nil
    }

    private static func add(_ number: Double, _ unit: String, to phrase: inout DurationPhrase) -> Bool {
        let whole = Int(exactly: number)
        switch unit {
        case "y", "year", "years":
            guard let whole else { return false }
            phrase.months += whole * 12
        case "month", "months":
            guard let whole else { return false }
            phrase.months += whole
        case "w", "week", "weeks":
            guard let whole else { return false }
            phrase.days += whole * 7
        case "d", "day", "days":
            if let whole { phrase.days += whole } else { phrase.seconds += number * 86_400 }
        default:
            guard !unit.isEmpty, let span = TimeSpan("1\(unit)") else { return false }
            phrase.seconds += number * span.seconds
        }
        return true
    }
}
