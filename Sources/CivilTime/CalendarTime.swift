/// A time in a calendar: a moment, or a date or a time without a time zone.
package enum CalendarTime: Hashable, Sendable {
    case moment(Timestamp)
    case local(LocalTime)

    /// Creates the local time if there is one, or else the moment.
    package init?(moment: Timestamp?, local: LocalTime?) {
        if let local {
            self = .local(local)
        } else if let moment {
            self = .moment(moment)
        } else {
            return nil
        }
    }

    /// Returns the moment that this means in a time zone.
    package func moment(in zone: TimeZoneRules) -> Timestamp {
        switch self {
        case .moment(let moment): moment
        case .local(let local): local.moment(in: zone)
        }
    }

    /// Returns the first moment that this means in a time zone. For a date, this is the beginning of the day.
    package func firstMoment(in zone: TimeZoneRules) -> Timestamp {
        switch self {
        case .moment(let moment): moment
        case .local(let local): local.firstMoment(in: zone)
        }
    }

    /// The date or the time without a time zone, or `nil` for a moment.
    package var local: LocalTime? {
        if case .local(let local) = self { local } else { nil }
    }

    /// The day of a date, or `nil` for a moment or a time.
    package var wholeDay: CivilDate? {
        if case .local(.date(let date)) = self { date } else { nil }
    }

    /// Returns `2026-11-27`, `2026-11-27T20:00:00` or `2026-11-27T20:00:00+01:00`, or `nil` for a moment that RFC 3339
    /// cannot express.
    package func text(in zone: TimeZoneRules) -> String? {
        switch self {
        case .moment(let moment): RFC3339.text(moment, in: zone)
        case .local(let local): local.text
        }
    }

    /// Reads the text of a date, of a time without a time zone, or of a moment.
    package init?(_ text: String) {
        if let local = LocalTime(text) {
            self = .local(local)
        } else if let moment = RFC3339.moment(text) {
            self = .moment(moment)
        } else {
            return nil
        }
    }
}
