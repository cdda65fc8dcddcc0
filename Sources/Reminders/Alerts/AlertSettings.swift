package import CivilTime

/// The user's settings for alerts.
package struct AlertSettings: Hashable, Sendable {
    /// The default lead times, the longest first.
    package var leads = [TimeSpan.minutes(5), .minutes(0)]
    /// The least time between an alert of an item and its repeat: a nag or the end of a snooze.
    package var quiet = TimeSpan.minutes(5)
    /// The longest time that an item may be past due for its missed alert to be sent.
    package var catchUp = TimeSpan.days(30)
    /// The time between two alerts of an item that is due and not completed, or `nil` for no nags.
    package var nag: TimeSpan?

    /// The time of day of the alert for an item that is due on a date, in seconds.
    package var timeOfDates = 9 * 3_600

    package init() {}

    /// The number of seconds from the time of the alert for a date to the end of the day.
    ///
    /// An item with a date is due at the last second of its day. Its lead times are counted from `timeOfDates`.
    var secondsAfterAlertOfDates: Double { Double(CivilDateTime.secondsPerDay - 1 - timeOfDates) }

    /// The lead times of an item with a due time and without lead times of its own.
    package var defaultLeads: [AlertState.Lead] { leads.map { AlertState.Lead(offset: $0.seconds) } }

    /// The least time between an alert and a nag.
    ///
    /// This is zero if the nag interval is at most the quiet time, so that the quiet time does not delay such nags.
    package var quietBeforeNag: TimeSpan {
        nag.map { $0 <= quiet } ?? false ? .minutes(0) : quiet
    }

    /// A text of the settings that the stored alert times depend on.
    ///
    /// When it changes, the alert times are computed again.
    var alertTimesKey: String {
        let leads = leads.map { String($0.microseconds) }.joined(separator: " ")
        return
            "leads \(leads), nag \(nag?.microseconds ?? 0), quiet \(quiet.microseconds), dates \(timeOfDates)"
    }

    /// Whether an older version of todod, which had one default lead time, computed the stored alert times.
    static func isOfOneLead(alertTimesKey: String) -> Bool { alertTimesKey.hasPrefix("lead ") }
}
