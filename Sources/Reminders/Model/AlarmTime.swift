package import CivilTime
package import Phrases

/// The time of an alarm of an item.
package enum AlarmTime: Hashable, Sendable {
    /// A lead time: a number of seconds before the due time. It is negative after the due time.
    case beforeDue(Int32)
    /// A number of seconds before the start. It is negative after the start.
    case beforeStart(Int32)
    case moment(Timestamp)

    /// The text in the API and in JSON: `15min before start`, `at start`, `1h after start`, or a moment such as
    /// `2026-11-26T20:00:00Z`.
    package var text: String {
        switch self {
        case .beforeDue(let seconds): Self.text(seconds, "due")
        case .beforeStart(let seconds): Self.text(seconds, "start")
        case .moment(let moment): RFC3339.text(moment) ?? ""
        }
    }

    private static func text(_ seconds: Int32, _ anchor: String) -> String {
        if seconds == 0 { return "at \(anchor)" }
        return "\(TimeSpan.seconds(Int(seconds.magnitude))) \(seconds > 0 ? "before" : "after") \(anchor)"
    }

    /// Whether it is a lead time.
    package var isLead: Bool { if case .beforeDue = self { true } else { false } }

    /// Reads the text of a moment or of a time before or after the start, or returns `nil` if it is not one.
    package init?(_ text: some StringProtocol) {
        if let moment = RFC3339.moment(text) {
            self = .moment(moment)
            return
        }
        do throws(DatePhraseError) {
            guard let seconds = try Self.secondsBeforeStart(text) else { return nil }
            self = .beforeStart(seconds)
        } catch {
            return nil
        }
    }

    /// Returns the number of seconds before the start that `15min before start`, `at start` or `1h after start` means, or
    /// `nil` for a text that does not end with such words.
    ///
    /// - Throws: an error if the text before these words is not a time span.
    package static func secondsBeforeStart(_ text: some StringProtocol) throws(DatePhraseError) -> Int32? {
        let words = text.lowercased().split { $0 == " " || $0 == "\t" }
        guard words.last == "start" else { return nil }
        if words.dropLast().allSatisfy({ $0 == "at" || $0 == "the" }) { return 0 }
        guard words.count > 2, let direction = ["before": 1, "after": -1][words[words.count - 2]] else {
            throw DatePhraseError(reason: "'\(text)' is not a time span before or after the start")
        }
        let span = words.dropLast(2).joined(separator: " ")
        guard let seconds = Int32(exactly: try TimeSpan(typed: span).seconds) else {
            throw DatePhraseError(reason: "'\(span)' is too long, or has a fraction of a second")
        }
        return Int32(direction) * seconds
    }
}

extension AlarmTime: Comparable {
    /// Orders the lead times first, then the times before and after the start, and then the moments, the earliest first
    /// in each group.
    package static func < (left: AlarmTime, right: AlarmTime) -> Bool { left.rank < right.rank }

    private var rank: (Int, Double) {
        switch self {
        case .beforeDue(let seconds): (0, -Double(seconds))
        case .beforeStart(let seconds): (1, -Double(seconds))
        case .moment(let moment): (2, moment.secondsSince1970)
        }
    }
}
