/// How one of the places where alerts go is doing.
package struct SinkState: Hashable, Sendable {
    package enum Condition: String, Sendable {
        /// It takes alerts.
        case ready
        /// It is switched off.
        case off
        /// Nobody is there who could take them.
        case absent
        /// Nothing was given to it yet.
        case unknown
        /// It did not take the last ones.
        case failing
        /// It does not answer, and what it was given waits.
        case heldUp = "held-up"
    }

    package let name: String
    package var condition: Condition
    /// How many alerts wait for it.
    package var waiting = 0
}
