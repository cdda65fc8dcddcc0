package import CivilTime

/// The note about a time that a change of the clocks skips or repeats.
package enum ClockChangeNote {
    /// Returns the note about a time of day that a change of the clocks skips or repeats on the day of `moment`.
    package static func text(
        at secondOfDay: Int, on moment: Timestamp, in zone: TimeZoneRules
    ) -> String? {
        guard let date = zone.civil(at: moment)?.date else { return nil }
        return text(at: CivilDateTime(date, secondOfDay: secondOfDay), moment, in: zone)
    }

    /// Returns the note about a time that the clocks skip, or `nil` for another time.
    package static func skipped(_ civil: CivilDateTime, in zone: TimeZoneRules) -> String? {
        guard zone.moments(of: civil).isEmpty, let used = zone.civil(at: zone.moment(of: civil)) else {
            return nil
        }
        return DatePhraseError.skipped(civil).reason + "; \(used.clock) is used"
    }

    /// Returns the note about a time that the clock shows at `moment`, or would show if it were not skipped.
    static func text(at civil: CivilDateTime, _ moment: Timestamp, in zone: TimeZoneRules) -> String? {
        if let note = skipped(civil, in: zone) { return note }
        let moments = zone.moments(of: civil)
        guard moments.count > 1, let second = moments.last else { return nil }
        let twice = "\(civil.clock) occurs twice on \(civil.date.words), because the clocks go back"
        if moment == second { return "\(twice); the second one is used" }
        return
            "\(twice); the first one is used; "
            + "for the second, type '\(civil.date.words) \(civil.clock) \(zone.abbreviation(at: second))'"
    }
}
