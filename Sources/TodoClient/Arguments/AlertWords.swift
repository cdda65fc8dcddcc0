internal import CivilTime
internal import Phrases
internal import TodoAPI

/// The texts of lead times and alerts, as `--lead` and `--alert` read them.
enum AlertWords {
    /// Returns `1h` for an alert before the due time, and `1h after` for one after it.
    static func lead(_ seconds: Int64) -> String {
        let span = TimeSpan.seconds(Int(seconds.magnitude)).description
        return seconds < 0 ? "\(span) after" : span
    }

    /// Returns a text such as `15min before start`, or a moment in the words of `moment`.
    static func alert(_ text: String, moment: (Timestamp) -> String?) -> String {
        RFC3339.moment(text).flatMap(moment) ?? text.oneLine()
    }

    /// Returns the alerts in a text with commas between them.
    static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { String($0.trimmed) }.filter { !$0.isEmpty }
    }
}
