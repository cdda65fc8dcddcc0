package import CivilTime

/// The first or the last time that a filter includes.
package struct FilterBound: Hashable, Sendable {
    /// The time itself, or the midnight at the beginning of a day.
    ///
    /// For the end of a week or a month, this is the midnight at its end.
    package let moment: Timestamp
    /// The midnight at the end of the day, or `nil` if the text names a time of day.
    package let endOfDay: Timestamp?
    /// A note about the chosen reading, as in `DatePhrase.Reading`.
    package let note: String?
}

extension DatePhrase {
    /// Reads a time as the bound of a filter, such as `list --due-before`.
    ///
    /// A day is its midnight, even if that is in the past: on a Monday, `monday` is today. A date without a year is the
    /// one nearest to today. A time without a day is today's.
    ///
    /// - Parameter purpose: `.filter`, or `.past` for a filter of past times, in which a day is the last possible one.
    package static func filterBound(
        _ text: String, now: Timestamp, zone: TimeZoneRules, purpose: Purpose = .filter
    ) throws(DatePhraseError) -> FilterBound {
        let reading = try reading(text, now: now, zone: zone, defaultTime: 0, purpose: purpose)
        guard reading.isDayAlone, let day = zone.civil(at: reading.moment)?.date else {
            return FilterBound(moment: reading.moment, endOfDay: nil, note: reading.note)
        }
        let end =
            day.adding(days: 1).map { zone.moment(of: CivilDateTime($0, secondOfDay: 0)) }
            ?? reading.moment + Double(CivilDateTime.secondsPerDay)
        return FilterBound(moment: reading.isEnd ? end : reading.moment, endOfDay: end, note: reading.note)
    }
}
