package import CivilTime

/// What is to be told at one moment.
package struct Announcement: Hashable, Sendable {
    /// In the order of their due dates.
    package let alerts: [Alert]
    /// The moment of the look that found them.
    package let moment: Timestamp
    /// Since when alerts were held back, when a time of quiet has just ended; nil otherwise.
    package let heldSince: Timestamp?

    package init(_ alerts: [Alert], at moment: Timestamp, heldSince: Timestamp? = nil) {
        self.alerts = alerts
        self.moment = moment
        self.heldSince = heldSince
    }
}
