internal import CivilTime

extension PhraseWords {
    /// Takes all words as a length of time, such as `in 20 minutes`, `+2h30m`, `10m`, `in an hour and a half`. Takes none and
    /// returns `nil` if they are no length, or only begin with one, as `in 3 days at 9am` does.
    ///
    /// - Parameter isMarked: whether it is a length and no time of day, as `8h30` may be, without `in` or `+` too.
    package mutating func duration(isMarked: Bool = false) -> DurationPhrase? {
        var rest = self
        let hasMark = rest.takeDurationMark()
        guard let duration = rest.takeDuration(isMarked: isMarked || hasMark), rest.isEmpty else {
            return nil
        }
        words = []
        return duration
    }

    /// Takes `in` or `+`, which say that a length follows; also where `+` is part of a word.
    mutating func takeDurationMark() -> Bool {
        if take("in") || take("+") { return true }
        guard let word = words.first, word.hasPrefix("+"), word.count > 1 else { return false }
        words = ([word.dropFirst()] + words.dropFirst())[...]
        return true
    }

    /// Takes the length at the front: `3 days`, `1h 30min`, `a week and a half`.
    ///
    /// - Parameter isMarked: whether a word before it says that it is a length: `8h30` by itself is a time of day.
    mutating func takeDuration(isMarked: Bool = true) -> DurationPhrase? {
        var phrase = DurationPhrase()
        guard takePart(of: &phrase, isMarked: isMarked) else { return nil }
        while true {
            let before = words
            _ = take("and")
            guard takePart(of: &phrase, isMarked: isMarked) else {
                words = before
                return phrase
            }
        }
    }

    private mutating func takePart(of phrase: inout DurationPhrase, isMarked: Bool) -> Bool {
        let before = (words, phrase)
        if takeGlued(into: &phrase, isMarked: isMarked) || takeSpaced(into: &phrase) { return true }
        (words, phrase) = before
        return false
    }

    /// `half an hour`, `3 days`, `an hour and a half`, `three quarters of an hour`, `a couple of days`.
    private mutating func takeSpaced(into phrase: inout DurationPhrase) -> Bool {
        var number: Double
        if words.first == "half" {
            takeFirst()
            guard take("a") || take("an"), let unit = takeUnit() else { return false }
            return Self.add(0.5, unit, to: &phrase)
        }
        if take("a", "couple", "of") || take("a", "couple") || take("couple", "of") {
            number = 2
        } else if take("a") || take("an") {
            number = 1
        } else if let word = words.first, word.contains("."), word.isDecimal, let value = Double(word) {
            takeFirst()
            number = value
        } else if let (value, count) = NumberWords.number(words) {
            take(count: count)
            number = Double(value)
        } else if words.first == "quarter" {
            number = 1
        } else {
            return false
        }
        if take("quarter") || take("quarters") {
            _ = take("of", "an")
            return take("hour") && Self.add(number / 4, "hour", to: &phrase)
        }
        if take("half") { number /= 2 }
        let before = words
        if take("and", "a", "half"), let unit = takeUnit() {
            return Self.add(number + 0.5, unit, to: &phrase)
        }
        words = before
        guard let unit = takeUnit() else { return false }
        if take("and", "a", "half") { number += 0.5 }
        return Self.add(number, unit, to: &phrase)
    }

    private mutating func takeUnit() -> String? {
        if take("working", "days") || take("business", "days") || take("working", "day")
            || take("business", "day")
        {
            return "workdays"
        }
        guard let word = words.first, word.allSatisfy(\.isLetter) else { return nil }
        takeFirst()
        return String(word)
    }

    /// `2h30m`, `1.5h`, `1h30`, or `PT1H30M` as ISO 8601 writes it.
    private mutating func takeGlued(into phrase: inout DurationPhrase, isMarked: Bool) -> Bool {
        guard var rest = words.first, rest.contains(where: \.isASCIIDigit) else { return false }
        let isISO = rest.first == "p" && rest.count > 2
        if isISO { rest = rest.dropFirst() }
        var isTime = false
        var unit = ""
        while !rest.isEmpty {
            if isISO, rest.first == "t" {
                isTime = true
                rest = rest.dropFirst()
            }
            let digits = rest.prefix { $0.isASCIIDigit || $0 == "." }
            guard digits.isDecimal, digits.count <= 9, let number = Double(digits) else { return false }
            rest = rest[digits.endIndex...]
            if rest.isEmpty {
                guard unit == "h", digits.isDigits(2...2), number < 60, isMarked || phrase.seconds < 7 * 3_600
                else { return false }
                phrase.seconds += number * 60
                break
            }
            unit = String(rest.prefix(while: \.isLetter))
            if isISO { unit = String(unit.prefix(1)) }
            guard !unit.isEmpty else { return false }
            rest = rest.dropFirst(unit.count)
            if isISO, unit == "m", !isTime { unit = "month" }
            guard Self.add(number, unit, to: &phrase) else { return false }
        }
        takeFirst()
        return true
    }

    private static func add(_ number: Double, _ unit: String, to phrase: inout DurationPhrase) -> Bool {
        let whole = Int(exactly: number)
        switch unit {
        case "y", "yr", "yrs", "year", "years":
            guard let months = Int(exactly: number * 12) else { return false }
            phrase.months += months
        case "mo", "mos", "month", "months":
            guard let whole else { return false }
            phrase.months += whole
        case "fortnight", "fortnights":
            guard let days = Int(exactly: number * 14) else { return false }
            phrase.days += days
        case "w", "wk", "wks", "week", "weeks":
            if let days = Int(exactly: number * 7) {
                phrase.days += days
            } else {
                phrase.seconds += number * 7 * 86_400
            }
        case "d", "day", "days":
            if let whole { phrase.days += whole } else { phrase.seconds += number * 86_400 }
        case "workday", "workdays", "weekday", "weekdays":
            guard let whole else { return false }
            phrase.workdays += whole
        case "hrs": phrase.seconds += number * 3_600
        case "mins": phrase.seconds += number * 60
        case "secs": phrase.seconds += number
        default:
            guard !unit.isEmpty, let span = TimeSpan("1\(unit)") else { return false }
            phrase.seconds += number * span.seconds
        }
        return true
    }

    /// Whether a word is a unit of time, such as `days`.
    static func isUnit(_ word: Substring?) -> Bool {
        guard let word, word.allSatisfy(\.isLetter), word != "m", word != "s" else { return false }
        var phrase = DurationPhrase()
        return add(1, String(word), to: &phrase)
    }
}

extension StringProtocol {
    /// Whether it is a number such as `90` or `1.5`.
    fileprivate var isDecimal: Bool {
        guard let first, let last, first.isASCIIDigit, last.isASCIIDigit else { return false }
        return allSatisfy { $0.isASCIIDigit || $0 == "." } && count { $0 == "." } <= 1
    }
}
