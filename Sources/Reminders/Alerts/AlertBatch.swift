package import CivilTime

/// The alerts to send at one moment.
package struct AlertBatch: Hashable, Sendable {
    /// The alerts, in the order of their due times.
    package let alerts: [Alert]
    /// The time of the check that found them.
    package let moment: Timestamp
    /// The start of a quiet period that has just ended, or `nil` if none has.
    package let delayedSince: Timestamp?

    package init(_ alerts: [Alert], at moment: Timestamp, delayedSince: Timestamp? = nil) {
        self.alerts = alerts
        self.moment = moment
        self.delayedSince = delayedSince
    }
}
