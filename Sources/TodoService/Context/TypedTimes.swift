internal import CivilTime
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The clock and the zone of the service, and the times that clients type. Confined to one queue.
final class TypedTimes {
    let now: @Sendable () -> Timestamp
    private let localZone: LocalZone
    /// The second of the day that is used for a date without a time.
    var defaultTime: Int

    init(now: @escaping @Sendable () -> Timestamp, zone: LocalZone, defaultTime: Int) {
        self.now = now
        localZone = zone
        self.defaultTime = defaultTime
    }

    /// The current time zone of this machine.
    var zone: TimeZoneRules { localZone.current }

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
        _ text: String, field: String, at now: Timestamp, in zone: TimeZoneRules, defaultTime: Int,
        purpose: DatePhrase.Purpose = .due
    ) throws(APIError) -> DatePhrase.Reading {
        do {
            return try DatePhrase.reading(
                text, now: now, zone: zone, defaultTime: defaultTime, purpose: purpose)
        } catch {
            throw Self.invalidDate(error, field: field, text: text)
        }
    }

    /// Returns the reading of a text in the zone of that name, or in the zone of the machine.
    ///
    /// - Throws: `PastDate` if the time is in the past and must not be.
    func futureReading(
        _ text: String, field: String, timeZone: String?, mayBePast: Bool, defaultTime: Int? = nil,
        purpose: DatePhrase.Purpose = .due
    ) throws(APIError) -> DatePhrase.Reading {
        // The reading of 'now' is compared with the time at which it was read, because a minute may end in between.
        let now = now()
        let reading = try reading(
            text, field: field, at: now, in: zone(named: timeZone),
            defaultTime: defaultTime ?? self.defaultTime, purpose: purpose)
        // The current minute is not over, so 'now' is a due time.
        let earliest =
            purpose == .due ? now - now.secondsSince1970.truncatingRemainder(dividingBy: 60) : now
        if reading.moment < earliest, !mayBePast {
            throw .pastDate(field: field, text: text, understood: reading.moment)
        }
        return reading
    }

    /// Returns the next time at which the clock shows this second of the day.
    func next(_ secondOfDay: Int, in zone: TimeZoneRules) throws(APIError) -> Timestamp {
        do {
            return try DatePhrase.next(secondOfDay, after: now(), zone: zone)
        } catch {
            throw .invalidDate(field: "due", text: "", reason: error.reason)
        }
    }

    /// Parses a time that limits a list.
    func filterBound(
        _ text: String, field: String, in zone: TimeZoneRules, purpose: DatePhrase.Purpose = .filter
    ) throws(APIError) -> FilterBound {
        do {
            return try DatePhrase.filterBound(text, now: now(), zone: zone, purpose: purpose)
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
