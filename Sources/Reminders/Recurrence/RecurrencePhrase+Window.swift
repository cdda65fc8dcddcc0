internal import CivilTime

extension RecurrencePhrase {
    /// One end of the hours of a day.
    private struct ClockSide {
        let text: Substring
        let hour: Int
        let minute: Int
        /// `am`, `pm` or nothing.
        var half: Substring
        /// Whether it is an hour without minutes and without a zero before it.
        let isBare: Bool

        init?(_ word: Substring) {
            text = word
            switch word {
            case "noon": (hour, minute, half, isBare) = (12, 0, "", false)
            case "midnight": (hour, minute, half, isBare) = (24, 0, "", false)
            default:
                let digits = word.prefix { ("0"..."9").contains($0) || $0 == ":" }
                half = word[digits.endIndex...]
                let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
                guard ["", "am", "pm"].contains(half), (1...2).contains(parts.count),
                    parts.dropFirst().allSatisfy({ $0.count == 2 }), parts[0].count <= 2,
                    let hour = Int(parts[0]), let minute = parts.count == 1 ? 0 : Int(parts[1])
                else { return nil }
                self.hour = hour
                self.minute = minute
                isBare = parts.count == 1 && !digits.hasPrefix("0")
            }
        }

        /// The second of the day, or `nil` if no clock shows that.
        var second: Int? {
            guard minute < 60, hour < 24 || (hour == 24 && minute == 0) else { return nil }
            if half.isEmpty { return hour * 3_600 + minute * 60 }
            guard (1...12).contains(hour) else { return nil }
            return (hour % 12 + (half == "pm" ? 12 : 0)) * 3_600 + minute * 60
        }
    }

    /// `9:00-18:00`, `from 9 to 18`, `between 22:00 and 6:00`; `nil` if the next words name no hours of the day.
    mutating func window() throws(RecurrenceError) -> DayWindow? {
        let before = words
        let sides = attempt { phrase -> (ClockSide, ClockSide)? in
            _ = phrase.take("from") || phrase.take("between")
            if let joined = phrase.takeFirst(Self.joinedSides) { return joined }
            guard let first = phrase.clockSide(), phrase.takeFirst(Self.joiningWord) != nil,
                let last = phrase.clockSide()
            else { return nil }
            return (first, last)
        }
        guard let sides else { return nil }
        let text = before.dropLast(words.count).joined(separator: " ")
        return try Self.window(sides.0, sides.1, text)
    }

    private static func joiningWord(_ word: Substring) -> Void? {
        ["to", "and", "till", "-", "–"].contains(word) ? () : nil
    }

    /// `9-18`, `9:00–18:00`.
    private static func joinedSides(_ word: Substring) -> (ClockSide, ClockSide)? {
        let sides = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
        guard sides.count == 2, let first = ClockSide(sides[0]), let last = ClockSide(sides[1]) else {
            return nil
        }
        return (first, last)
    }

    /// `9`, `9:30`, `9am`, `9 am`.
    private mutating func clockSide() -> ClockSide? {
        guard var side = takeFirst({ ClockSide($0) }) else { return nil }
        if side.half.isEmpty, let half = words.first, half == "am" || half == "pm" {
            side.half = half
            _ = takeFirst { _ in () }
        }
        return side
    }

    private static func window(
        _ first: ClockSide, _ last: ClockSide, _ text: String
    ) throws(RecurrenceError) -> DayWindow {
        var first = first
        // `1-5pm` is in the afternoon, `9-5pm` begins in the morning.
        if first.isBare, first.half.isEmpty, last.half == "pm", (1...12).contains(first.hour) {
            first.half = first.hour % 12 < last.hour % 12 ? "pm" : "am"
        }
        for side in [first, last] where side.second == nil {
            throw RecurrenceError(reason: "there is no time of day '\(side.text)'; try '9:00-18:00'")
        }
        let isUnclear =
            first.isBare && last.isBare && first.half.isEmpty && last.half.isEmpty
            && last.hour <= 12 && (last.hour <= first.hour && first.hour <= 12 || first.hour < 6)
        guard !isUnclear else {
            throw RecurrenceError(
                reason:
                    "'\(text)' can be in the morning or in the afternoon; add minutes or am and pm, such as "
                    + "'\(first.hour):00-\(last.hour % 12 + 12):00'")
        }
        guard let begin = first.second, let end = last.second, let window = DayWindow(from: begin, to: end)
        else {
            throw RecurrenceError(reason: "'\(text)' begins and ends at the same time; try '9:00-18:00'")
        }
        return window
    }
}
