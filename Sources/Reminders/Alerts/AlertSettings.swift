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

    package init() {}

    /// The lead times of an item without lead times of its own.
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
        return "leads \(leads), nag \(nag?.microseconds ?? 0), quiet \(quiet.microseconds)"
    }

    /// Whether an older version of todod, which had one default lead time, computed the stored alert times.
    static func isOfOneLead(alertTimesKey: String) -> Bool { alertTimesKey.hasPrefix("lead ") }
}
