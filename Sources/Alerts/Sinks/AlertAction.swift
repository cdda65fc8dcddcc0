package import CivilTime

/// An action on an item that the user can choose in its alert.
package enum AlertAction: Hashable, Sendable {
    case done
    case snooze(TimeSpan)
    case mute
    /// The user has closed the alert.
    case dismiss

    /// Performs an action on the item with this ID. May be called on any queue.
    package typealias Perform = @Sendable (AlertAction, Int64) -> Void

    /// The actions of a desktop notification, in the order of their buttons.
    static let offered: [AlertAction] = [.done, .snooze(.minutes(10)), .mute]

    /// The identifier of the action in the notification protocol.
    var key: String {
        switch self {
        case .done: "done"
        case .snooze: "snooze"
        case .mute: "mute"
        case .dismiss: "dismiss"
        }
    }

    /// The text of the button.
    package var label: String {
        switch self {
        case .done: "Done"
        case .snooze(let span): "Snooze \(TimeInWords.length(span.seconds))"
        case .mute: "Mute"
        case .dismiss: "Dismiss"
        }
    }
}
