internal import CivilTime

/// The hours of each day in which an item repeats, such as 9:00–18:00.
///
/// Both ends are included. The hours may extend over midnight.
package struct DayWindow: Hashable, Sendable {
    /// The beginning of the hours, in seconds since midnight.
    package let first: Int
    /// The length of the hours in seconds.
    let length: Int

    /// Creates hours, or returns `nil` if the times are invalid or equal.
    ///
    /// - Parameter end: the end in seconds since midnight, up to 24:00. If it is before `first`, it is on the next day.
    init?(from first: Int, to end: Int) {
        guard (0..<CivilDateTime.secondsPerDay).contains(first),
            (0...CivilDateTime.secondsPerDay).contains(end),
            first != end
        else { return nil }
        self.first = first
        length = end > first ? end - first : end + CivilDateTime.secondsPerDay - first
    }

    private var end: Int {
        let end = first + length
        return end > CivilDateTime.secondsPerDay ? end - CivilDateTime.secondsPerDay : end
    }

    package func contains(secondOfDay second: Int) -> Bool {
        let distance = second - first
        return (distance < 0 ? distance + CivilDateTime.secondsPerDay : distance) <= length
    }

    // MARK: - In a rule

    /// The value of `X-BETWEEN` in a rule: `0900-1800`.
    var text: String { Self.digits(first) + "-" + Self.digits(end) }

    init?(text: Substring) {
        let sides = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.second)
        guard sides.count == 2, let first = sides[0], let end = sides[1] else { return nil }
        self.init(from: first, to: end)
    }

    private static func digits(_ second: Int) -> String {
        let (hour, minute) = (second / 3_600, second / 60 % 60)
        return (hour < 10 ? "0" : "") + String(hour) + (minute < 10 ? "0" : "") + String(minute)
    }

    private static func second(_ digits: Substring) -> Int? {
        guard digits.utf8.count == 4, digits.allSatisfy({ ("0"..."9").contains($0) }),
            let hour = Int(digits.prefix(2)), let minute = Int(digits.suffix(2)), hour <= 24, minute < 60
        else { return nil }
        return hour * 3_600 + minute * 60
    }

    // MARK: - In words

    /// The hours as they can be typed: `9:00–18:00`.
    package var words: String { Self.clock(first) + "–" + Self.clock(end) }

    private static func clock(_ second: Int) -> String {
        let minute = second / 60 % 60
        return "\(second / 3_600):\(minute < 10 ? "0" : "")\(minute)"
    }

    /// Reads hours such as `9:00-18:00`, `9am to 5pm`, `from 9 to 18` or `between 22:00 and 6:00`.
    package init(typed text: String) throws(RecurrenceError) {
        guard text.utf8.count <= RecurrenceRule.lengthLimit else { throw RecurrenceRule.tooLong }
        var phrase = RecurrencePhrase(text)
        let window: DayWindow?
        do throws(RecurrenceError) {
            window = try phrase.window()
        } catch {
            throw error.suggesting(error.similar) { (try? DayWindow(typed: $0)) != nil }
        }
        guard let window, phrase.words.isEmpty else {
            throw RecurrenceError(
                reason: "'\(text)' is not a range of hours", advice: "try '9:00-18:00' or '22:00-6:00'")
        }
        self = window
    }
}
