internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

// Times as a client sends them.

extension Workspace {
    /// The zone of that IANA name; the daemon's own when there is none.
    func zone(named name: String?) throws(APIError) -> TimeZoneRules {
        guard let name else { return zone }
        guard let zone = TimeZoneRules(named: name) else {
            throw .invalidValue(field: "timeZone", reason: "there is no such time zone on this machine")
        }
        return zone
    }

    /// Reads a time as a person types it. A day alone means its second `defaultTime`.
    func moment(_ text: String, field: String, in zone: TimeZoneRules, defaultTime: Int) throws(APIError)
        -> Timestamp
    {
        do {
            return try DatePhrase.moment(text, now: now(), zone: zone, defaultTime: defaultTime)
        } catch {
            throw .invalidDate(field: field, text: text, reason: error.reason)
        }
    }

    /// Reads a time at which a list is cut.
    func filterBound(_ text: String, field: String, in zone: TimeZoneRules) throws(APIError) -> FilterBound {
        do {
            return try DatePhrase.filterBound(text, now: now(), zone: zone)
        } catch {
            throw .invalidDate(field: field, text: text, reason: error.reason)
        }
    }

    static func timeSpan(_ text: String, field: String) throws(APIError) -> TimeSpan {
        guard let span = TimeSpan(text, needsUnits: true) else {
            throw .invalidValue(
                field: field, reason: "'\(text)' is no length of time; expected one such as 24h or 7d")
        }
        return span
    }
}
