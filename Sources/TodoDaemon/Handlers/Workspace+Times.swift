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

    /// Reads a time at which a list is cut.
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

    /// The moment that is so much later than now, such as `24h` or `a month`.
    func moment(within text: String, field: String, in zone: TimeZoneRules) throws(APIError) -> Timestamp {
        do throws(DatePhraseError) {
            let now = now()
            guard let moment = try DurationPhrase.reading(text).added(to: now, zone: zone) else {
                throw DatePhraseError(reason: "'\(text)' ends after the year 9999")
            }
            return moment
        } catch {
            throw .invalidValue(field: field, reason: "\(error.reason); expected one such as 24h or 7d")
        }
    }
}
