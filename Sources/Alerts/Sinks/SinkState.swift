/// The state of one of the alert sinks.
package struct SinkState: Hashable, Sendable {
    package enum Condition: String, Sendable {
        /// It accepts alerts.
        case ready
        /// It is turned off.
        case off
        /// There is no service that could take alerts.
        case absent
        /// No alert was sent to it yet.
        case unknown
        /// It did not accept the last alerts.
        case failing
        /// It does not answer, and alerts wait for it.
        case heldUp = "held-up"
    }

    package let name: String
    package var condition: Condition
    /// The number of alerts that wait for it.
    package var waiting = 0
}
