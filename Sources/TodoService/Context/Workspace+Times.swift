internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

// Times that clients send.

extension Workspace {
    /// Returns the zone with this IANA name, or the daemon's own zone if `name` is `nil`.
    func zone(named name: String?) throws(APIError) -> TimeZoneRules {
        guard let name else { return zone }
        guard let zone = TimeZoneRules(named: name) else {
            throw .invalidValue(field: "timeZone", reason: "there is no such time zone on this machine")
        }
        return zone
    }

    /// Parses a time that the user typed. A day without a time means its second `defaultTime`.
    func reading(
        _ text: String, field: String, in zone: TimeZoneRules, defaultTime: Int,
        purpose: DatePhrase.Purpose = .due
    ) throws(APIError) -> DatePhrase.Reading {
        do {
            return try DatePhrase.reading(
                text, now: now(), zone: zone, defaultTime: defaultTime, purpose: purpose)
        } catch {
            throw Self.invalidDate(error, field: field, text: text)
        }
    }

    /// Parses a time that limits a list.
    func filterBound(_ text: String, field: String, in zone: TimeZoneRules) throws(APIError) -> FilterBound {
        do {
            return try DatePhrase.filterBound(text, now: now(), zone: zone)
        } catch {
            throw Self.invalidDate(error, field: field, text: text)
        }
    }

    private static func invalidDate(_ error: DatePhraseError, field: String, text: String) -> APIError {
        .invalidDate(
            field: field, text: text, reason: error.reason,
            similar: error.similar.isEmpty ? nil : error.similar)
    }

    /// Returns the time that is later than now by a span such as `24h` or `a month`.
    func moment(within text: String, field: String, in zone: TimeZoneRules) throws(APIError) -> Timestamp {
        do throws(DatePhraseError) {
            let now = now()
            guard let moment = try DurationPhrase.reading(text).added(to: now, zone: zone) else {
                throw DatePhraseError(reason: "'\(text)' ends after the year 9999")
            }
            return moment
        } catch {
            throw .invalidValue(
                field: field, reason: "\(error.reason); try 24h or 7d")
        }
    }
}
