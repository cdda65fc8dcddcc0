internal import CivilTime

/// Hours of the day, such as `9:00-18:00`, in options and in the configuration.
package struct HoursPhrase: Hashable, Sendable {
    /// The beginning of the hours, in seconds since midnight.
    package let start: Int
    /// The end of the hours, in seconds since midnight, up to 24:00.
    ///
    /// If it is before `start`, it is on the next day.
    package let end: Int

    private static let advice = "try '9:00-18:00'"

    fileprivate init(from first: ExactTime, to last: ExactTime, text: String) throws(DatePhraseError) {
        var first = first
        // `1-5pm` is in the afternoon, and `9-5pm` begins in the morning.
        if first.isBareHour, last.half == "pm", (1...12).contains(first.hour) {
            let hour = first.hour % 12
            first.second = (hour < last.hour % 12 ? hour + 12 : hour) * 3_600
        } else if Self.lacksHalf(from: first, to: last), let end = last.second, let start = first.second {
            let noon = CivilDateTime.secondsPerDay / 2
            let similar = "\(Self.clock(start))-\(Self.clock(end + noon))"
            throw DatePhraseError(
                reason: "'\(text)' can be in the morning or in the afternoon",
                advice: "add minutes or am and pm, such as '\(similar)'", similar: [similar])
        }
        for time in [first, last] where time.second == nil {
            throw DatePhraseError(reason: "there is no time of day '\(time.text)'", advice: Self.advice)
        }
        let start = (first.second ?? 0) % CivilDateTime.secondsPerDay
        let end = last.second ?? 0
        guard start != end else {
            throw DatePhraseError(reason: "'\(text)' begins and ends at the same time", advice: Self.advice)
        }
        self.start = start
        self.end = end
    }

    /// Whether the end can also be in the afternoon, or the beginning of `1-5`.
    ///
    /// `9am-5`, `9-5:30` and `8h-5h` are unclear. `22:00-6:00` and `22-6` are at night in any case.
    private static func lacksHalf(from first: ExactTime, to last: ExactTime) -> Bool {
        guard last.hour <= 12 else { return false }
        if first.isBareHour, last.isBareHour,
            last.hour <= first.hour && first.hour <= 12 || first.hour < 6
        {
            return true
        }
        guard last.half.isEmpty, !last.text.hasPrefix("0"), last.hour > 0,
            last.isBareHour || (1...6).contains(last.hour) && last.text.first?.isASCIIDigit == true,
            let start = first.second, let end = last.second
        else { return false }
        return end < start && start < end + CivilDateTime.secondsPerDay / 2
    }

    /// The time as it can be typed: `9:00`.
    private static func clock(_ second: Int) -> String {
        let minute = second / 60 % 60
        return "\(second / 3_600):\(minute < 10 ? "0" : "")\(minute)"
    }
}

/// A time of day as it is written, so that `3:00` is at night.
private struct ExactTime {
    let text: Substring
    let hour: Int
    /// `am`, `pm` or empty.
    let half: Substring
    /// Whether this is an hour without minutes, without a zero before it and without `am` or `pm`.
    let isBareHour: Bool
    /// The time in seconds since midnight, up to 24:00, or `nil` if there is no such time.
    var second: Int?
}

extension PhraseWords {
    /// Takes a time of day such as `03:00`, `9:30pm`, `0930` or `noon`, in seconds since midnight.
    ///
    /// Returns `nil` if the next words are not such a time, or are an hour alone.
    package mutating func exactTimeOfDay() -> Int? {
        let before = words
        if let time = exactTime(), !time.isBareHour, let second = time.second {
            if time.text == "midnight" { return 0 }
            if second < CivilDateTime.secondsPerDay { return second }
        }
        words = before
        return nil
    }

    /// Takes hours such as `9:00-18:00`, `9am to 5pm`, `from 9 to 18` or `between 22:00 and 6:00`.
    ///
    /// Returns `nil` if the next words name no hours of the day.
    package mutating func hours() throws(DatePhraseError) -> HoursPhrase? {
        try takeIf { (words) throws(DatePhraseError) in
            let before = words.words
            let isLed = words.take("from") || words.take("between")
            words.splitAtDash()
            // Without `from` or `between`, `1 and 15` are days.
            guard let first = words.exactTime(),
                words.take(anyOf: isLed ? ["to", "and", "till", "-"] : ["to", "till", "-"]),
                let last = words.exactTime()
            else { return nil }
            let text = before.dropLast(words.words.count).joined(separator: " ")
            do throws(DatePhraseError) {
                return try HoursPhrase(from: first, to: last, text: text)
            } catch {
                // The words after the hours are a part of the text to type.
                let rest = words.words.map { " \($0)" }.joined()
                throw DatePhraseError(
                    reason: error.cause, advice: error.advice, similar: error.similar.map { $0 + rest })
            }
        }
    }

    /// Splits the first word with a dash into three words: `9–18` becomes `9 - 18`.
    private mutating func splitAtDash() {
        let isDash = { (character: Character) in character == "-" || character == "–" }
        guard let index = words.firstIndex(where: { $0.contains(where: isDash) }) else { return }
        let sides = words[index].split(omittingEmptySubsequences: false, whereSeparator: isDash)
        guard sides.count == 2 else { return }
        let parts = [sides[0], "-", sides[1]].filter { !$0.isEmpty }
        words = (words[..<index] + parts + words[(index + 1)...])[...]
    }

    private mutating func exactTime() -> ExactTime? {
        if let named = namedTime() {
            let second = named.text == "midnight" ? CivilDateTime.secondsPerDay : named.secondOfDay
            return ExactTime(
                text: named.text[...], hour: second / 3_600, half: "", isBareHour: false, second: second)
        }
        guard let word = words.first, word.first?.isASCIIDigit == true,
            let written = WrittenTime(word, next: self.word(1))
        else { return nil }
        var second = written.secondOfDay
        if ["24", "24:00"].contains(word) { second = CivilDateTime.secondsPerDay }
        if let second, second % 60 != 0 { return nil }
        take(count: written.wordCount)
        return ExactTime(
            text: word, hour: written.hour, half: written.half,
            isBareHour: written.form == .hour && written.half.isEmpty && !word.hasPrefix("0"), second: second)
    }
}
