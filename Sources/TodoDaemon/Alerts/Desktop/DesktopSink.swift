package import CivilTime
internal import Dispatch
package import Reminders
internal import Synchronization

/// Shows alerts as bubbles on the desktop, where there is one.
///
/// A bubble offers to complete, put off or mute its item, takes the place of the item's earlier one, and goes when the
/// item needs nobody any more. No bus, and a bus on which nobody shows bubbles, is how many machines are, and nothing
/// to speak of; one that appears later is used. Whether to disturb is the server's business.
package final class DesktopSink: AlertSink {
    private final class Memory: Sendable {
        let condition = Mutex(SinkState.Condition.unknown)
    }

    private let desktop: QueueConfined<Desktop>
    private let memory = Memory()

    /// - Parameters:
    ///   - busAddress: where the bus is; nil for what the environment says.
    ///   - perform: carries out what a person chose; called on the queue of the desktop.
    package init(
        zone: LocalZone, log: Log, busAddress: String? = nil,
        perform: @escaping AlertAction.Perform
    ) {
        let queue = DispatchQueue(label: "todod.alerts.desktop")
        let server = NotificationServer(queue: queue, busAddress: busAddress)
        let desktop = Desktop(server: server, zone: zone, log: log, perform: perform)
        desktop.conditionDidChange = { [memory] condition in memory.condition.withLock { $0 = condition } }
        self.desktop = QueueConfined(desktop, to: queue)
    }

    deinit {
        desktop.async { $0.close() }
    }

    package func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
        desktop.async { $0.show(announcement, told: told) }
    }

    package func withdraw(itemIDs: [Int64]) {
        desktop.async { $0.withdraw(itemIDs: Set(itemIDs)) }
    }

    package func apply(_ configuration: Configuration) {
        desktop.async { $0.isEnabled = configuration.showsOnDesktop }
    }

    package func show(_ notice: DesktopNotice?) {
        desktop.async { $0.show(notice) }
    }

    /// Shows a notice; `shown` is called once it is on the desktop or cannot be shown.
    func show(_ notice: DesktopNotice, shown: @escaping @Sendable () -> Void) {
        desktop.async { $0.show(notice, done: shown) }
    }

    package var condition: SinkState.Condition { memory.condition.withLock { $0 } }
}
