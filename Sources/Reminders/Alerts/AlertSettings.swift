package import CivilTime

/// How alerts are given, as far as a person can set it.
package struct AlertSettings: Hashable, Sendable {
    /// How long before its due time the alerts of an item without lead times of its own are sent, the longest first.
    package var leads = [TimeSpan.minutes(5), .minutes(0)]
    /// The least time between an alert of an item and a repeat of it: the end of a snooze, or a nag.
    package var quiet = TimeSpan.minutes(5)
    /// How long ago an item may have fallen due to be told as missed.
    package var catchUp = TimeSpan.days(30)
    /// The time between two alerts of an item that is due and not done; nil for none.
    package var nag: TimeSpan?

    package init() {}

    /// The lead times of an item that has none of its own.
    package var defaultLeads: [AlertState.Lead] { leads.map { AlertState.Lead(offset: $0.seconds) } }

    /// The least time between an alert and a nag. The quiet time does not stretch nags that are as frequent as that.
    package var quietBeforeNag: TimeSpan {
        nag.map { $0 <= quiet } ?? false ? .minutes(0) : quiet
    }

    /// The settings that the stored alert times depend on. When it changes, they are computed again.
    var pointsKey: String {
        let leads = leads.map { String($0.microseconds) }.joined(separator: " ")
        return "leads \(leads), nag \(nag?.microseconds ?? 0), quiet \(quiet.microseconds)"
    }

    /// Whether stored alert times are those of an older todod, which had one default lead time.
    static func isOfOneLead(pointsKey: String) -> Bool { pointsKey.hasPrefix("lead ") }
}
