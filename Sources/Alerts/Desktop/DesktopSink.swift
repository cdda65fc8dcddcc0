package import CivilTime
internal import Dispatch
internal import Platform
package import Reminders

/// Shows alerts as notifications on the desktop.
///
/// A notification offers to complete, snooze or mute its item. It replaces the earlier notification of the item, and
/// closes when the item needs no more attention. A missing bus or notification server is not reported, because many
/// machines have none. A server that appears later is used. It applies its own do-not-disturb mode.
package final class DesktopSink: AlertSink {
    private final class SharedCondition: Sendable {
        let condition = Locked(SinkState.Condition.unknown)
    }

    private let desktop: QueueConfined<Desktop>
    private let shared = SharedCondition()

    /// Creates a sink with its own queue.
    ///
    /// - Parameters:
    ///   - busAddress: the address of the bus, or `nil` to use the environment.
    ///   - perform: performs the action that the user chose. Called on the queue of the desktop.
    package init(
        zone: LocalZone, log: Log, busAddress: String? = nil,
        perform: @escaping AlertAction.Perform
    ) {
        let queue = DispatchQueue(label: "todod.alerts.desktop")
        let server = NotificationServer(queue: queue, busAddress: busAddress)
        let desktop = Desktop(server: server, zone: zone, log: log, perform: perform) { [shared] condition in
            shared.condition.withLock { $0 = condition }
        }
        self.desktop = QueueConfined(desktop, to: queue)
    }

    deinit {
        desktop.async { $0.close() }
    }

    package func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        desktop.async { $0.show(batch, delivered: delivered) }
    }

    package func closeAlerts(of itemIDs: [Int64]) {
        desktop.async { $0.closeNotifications(of: Set(itemIDs)) }
    }

    package func apply(_ settings: DeliverySettings) {
        desktop.async { $0.isEnabled = settings.showsOnDesktop }
    }

    package func show(_ notice: DesktopNotice?) {
        desktop.async { $0.show(notice) }
    }

    /// Shows a notice.
    ///
    /// - Parameter shown: called when the notice is on the desktop, or cannot be shown.
    package func show(_ notice: DesktopNotice, shown: @escaping @Sendable () -> Void) {
        desktop.async { $0.show(notice, done: shown) }
    }

    package var condition: SinkState.Condition { shared.condition.withLock { $0 } }
}
