package import CivilTime

/// How alerts are given, as far as a person can set it.
package struct AlertSettings: Hashable, Sendable {
    /// How long before its due time an item without alarms of its own is told.
    package var lead = TimeSpan.minutes(5)
    /// The least time between two alerts of one item.
    package var quiet = TimeSpan.minutes(5)
    /// How long ago an item may have fallen due to be told as missed.
    package var catchUp = TimeSpan.days(30)
    /// The time between two alerts of an item that is due and not done; nil for none.
    package var nag: TimeSpan?

    package init() {}

    /// The lead that an item follows unless it has leads of its own.
    func defaultLead(toldForDue: Timestamp?) -> AlertState.Lead {
        AlertState.Lead(offset: lead.seconds, toldForDue: toldForDue)
    }

    /// What the stored alert points depend on: when it changes, they are computed again.
    var pointsKey: String {
        "lead \(lead.microseconds), nag \(nag?.microseconds ?? 0)"
    }
}
