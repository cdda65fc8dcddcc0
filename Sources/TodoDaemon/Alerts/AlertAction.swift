package import CivilTime

/// What a person can do to an item right where it is told.
package enum AlertAction: Hashable, Sendable {
    case done
    case snooze(TimeSpan)
    case mute

    /// Carries an action out on the item with that id; may be called on any queue.
    package typealias Perform = @Sendable (AlertAction, Int64) -> Void

    /// What a bubble offers, in this order.
    static let offered: [AlertAction] = [.done, .snooze(.minutes(10)), .mute]

    /// What the notification server calls it when it is chosen.
    var key: String {
        switch self {
        case .done: "done"
        case .snooze: "snooze"
        case .mute: "mute"
        }
    }

    /// What a person reads.
    var label: String {
        switch self {
        case .done: "Done"
        case .snooze(let span): "Snooze \(TimeInWords.length(span.seconds))"
        case .mute: "Mute"
        }
    }
}
