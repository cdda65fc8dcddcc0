extension PhraseWords {
    /// Takes all words as a length of time, such as `in 20 minutes`, `+2h30m`, `10m` or `in an hour and a half`.
    ///
    /// Takes none and returns `nil` if the words are not a length, or only begin with one, as in `in 3 days at 9am`.
    ///
    /// - Parameter isMarked: whether words without `in` or `+` are always a length, and never a time of day, as `15h30`
    ///   may be.
    package mutating func duration(isMarked: Bool = false) -> DurationPhrase? {
        var rest = self
        let hasMark = rest.takeDurationMark()
        guard let duration = rest.takeDuration(isMarked: isMarked || hasMark), rest.isEmpty else {
            return nil
        }
        words = []
        return duration
    }

    /// Takes `in` or `+` before a length, even if `+` is part of a word.
    mutating func takeDurationMark() -> Bool {
        if take("in") || take("+") { return true }
        guard let word = words.first, word.hasPrefix("+"), word.count > 1 else { return false }
        words = ([word.dropFirst()] + words.dropFirst())[...]
        return true
    }

    /// Takes the length at the beginning: `3 days`, `1h 30min`, `a week and a half`.
    ///
    /// - Parameter isMarked: whether the words are a length, and not a time of day, as `15h30` may be.
    mutating func takeDuration(isMarked: Bool = true) -> DurationPhrase? {
        var rest = self
        guard let duration = rest.takeLength(isMarked: isMarked).flatMap(DurationPhrase.init) else {
            return nil
        }
        self = rest
        return duration
    }

    /// Takes the parts of the length at the beginning.
    ///
    /// A comma, or a unit that is not shorter than the one before it, ends the length.
    ///
    /// - Parameters:
    ///   - isMarked: as in `takeDuration`.
    ///   - isSingle: whether only one part is taken, as the `day` of `day 14h`.
    package mutating func takeLength(isMarked: Bool = true, isSingle: Bool = false) -> [LengthPart]? {
        guard var parts = takeParts(isMarked: isMarked) else { return nil }
        while !isSingle, !commas.contains(words.count) {
            let before = words
            _ = take("and")
            guard let next = takeParts(isMarked: isMarked), DurationPhrase(parts + next) != nil else {
                words = before
                return parts
            }
            parts += next
        }
        return parts
    }

    /// The lengths in these words, the longest unit first and without commas, as in `1h 30m` for `30m, 1h`.
    ///
    /// It is `nil` if there are not several lengths, or other words too.
    var lengthsInOrder: String? {
        var rest = self
        _ = rest.takeDurationMark()
        var lengths: [(text: String, unit: LengthUnit)] = []
        while !rest.isEmpty {
            if !lengths.isEmpty { _ = rest.take("and") }
            let before = rest.words
            guard let unit = rest.takeParts(isMarked: true)?.first?.unit else { return nil }
            lengths.append((before.dropLast(rest.words.count).joined(separator: " "), unit))
        }
        guard lengths.count > 1 else { return nil }
        return lengths.sorted { $0.unit.rawValue < $1.unit.rawValue }.map(\.text).joined(separator: " ")
    }

    private mutating func takeParts(isMarked: Bool) -> [LengthPart]? {
        let before = words
        if let parts = takeGlued(isMarked: isMarked) { return parts }
        if let part = takeSpaced() { return [part] }
        words = before
        return nil
    }

    /// Takes a length in several words, such as `half an hour`, `3 days`, `an hour and a half`,
    /// `three quarters of an hour` or `a couple of days`.
    private mutating func takeSpaced() -> LengthPart? {
        var number: Double
        if words.first == "half" {
            takeFirst()
            _ = take("a") || take("an")
            return takeUnit().map { LengthPart(number: 0.5, unit: $0) }
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
            return nil
        }
        if take("quarter") || take("quarters") {
            _ = take("of", "an")
            return take("hour") ? LengthPart(number: number / 4, unit: .hour) : nil
        }
        if take("half") { number /= 2 }
        let before = words
        if take("and", "a", "half"), let unit = takeUnit() {
            return LengthPart(number: number + 0.5, unit: unit)
        }
        words = before
        guard let unit = takeUnit() else { return nil }
        if take("and", "a", "half") { number += 0.5 }
        return LengthPart(number: number, unit: unit)
    }

    private mutating func takeUnit() -> LengthUnit? {
        if take("working", "days") || take("business", "days") || take("working", "day")
            || take("business", "day")
        {
            return .workday
        }
        guard let unit = words.first.flatMap({ LengthUnit($0) }) else { return nil }
        takeFirst()
        return unit
    }

    /// Takes a length in one word, such as `2h30m`, `1.5h`, `1h30`, or `PT1H30M` in the format of ISO 8601.
    private mutating func takeGlued(isMarked: Bool) -> [LengthPart]? {
        guard var rest = words.first, rest.contains(where: \.isASCIIDigit) else { return nil }
        if !isMarked, LetteredHours(rest)?.meaning() == .time { return nil }
        let isISO = rest.first == "p" && rest.count > 2
        if isISO { rest = rest.dropFirst() }
        var isTime = false
        var parts: [LengthPart] = []
        while !rest.isEmpty {
            if isISO, rest.first == "t" {
                isTime = true
                rest = rest.dropFirst()
            }
            let digits = rest.prefix { $0.isASCIIDigit || $0 == "." }
            guard digits.isDecimal, digits.count <= 9, let number = Double(digits) else { return nil }
            rest = rest[digits.endIndex...]
            if rest.isEmpty {
                guard parts.last?.unit == .hour, digits.isDigits(2...2), number < 60 else { return nil }
                parts.append(LengthPart(number: number, unit: .minute))
                break
            }
            let name = isISO ? rest.prefix(1) : rest.prefix(while: \.isLetter)
            guard var unit = LengthUnit(name) else { return nil }
            rest = rest.dropFirst(name.count)
            if isISO, unit == .minute, !isTime { unit = .month }
            parts.append(LengthPart(number: number, unit: unit))
        }
        guard parts.count == 1 || DurationPhrase(parts) != nil else { return nil }
        takeFirst()
        return parts
    }

    /// Whether a word is a unit of time, such as `days`.
    static func isUnit(_ word: Substring?) -> Bool {
        guard let word, word != "m", word != "s" else { return false }
        return LengthUnit(word) != nil
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

extension StringProtocol {
    /// Whether the text is a number such as `90` or `1.5`.
    fileprivate var isDecimal: Bool {
        guard let first, let last, first.isASCIIDigit, last.isASCIIDigit else { return false }
        return allSatisfy { $0.isASCIIDigit || $0 == "." } && count { $0 == "." } <= 1
    }
}
