package import CivilTime
package import Reminders

/// A sink that sends alerts to several others at once.
///
/// An alert counts as sent when the primary sink has it, which keeps it for the user to read later. The failure of
/// another sink has no effect on the rest.
package final class AlertSinks: AlertSink {
    /// The deadline of the journal. A slower journal is reported.
    private static let journalSeconds = 10.0
    /// The deadline of the desktop. It is longer than the few calls that it makes can take.
    private static let desktopSeconds = 30.0

    private let primary: any AlertSink
    private let others: [any AlertSink]

    init(primary: any AlertSink, others: [any AlertSink]) {
        self.primary = primary
        self.others = others
    }

    /// Creates all sinks of the daemon: the journal as the primary one, the desktop, and a command.
    ///
    /// - Parameter perform: performs the action that the user chose on the desktop. Called on any queue.
    package convenience init(
        zone: LocalZone, log: Log, perform: @escaping AlertAction.Perform
    ) {
        let desktop = DesktopSink(zone: zone, log: log, perform: perform)
        let command = CommandSink(zone: zone, log: log)
        self.init(
            primary: GuardedSink(
                JournalSink(zone: zone), name: "journal", deadlineSeconds: Self.journalSeconds, log: log),
            others: [
                GuardedSink(desktop, name: "desktop", deadlineSeconds: Self.desktopSeconds, log: log),
                // Each run has its own deadline, and a thousand of them take long.
                GuardedSink(command, name: "command", deadlineSeconds: nil, log: log),
            ])
    }

    package func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        primary.send(batch, delivered: delivered)
        for sink in others { sink.send(batch) { _ in } }
    }

    package func closeAlerts(of itemIDs: [Int64]) {
        for sink in all { sink.closeAlerts(of: itemIDs) }
    }

    package func apply(_ settings: DeliverySettings) {
        for sink in all { sink.apply(settings) }
    }

    package func show(_ notice: DesktopNotice?) {
        for sink in all { sink.show(notice) }
    }

    package var states: [SinkState] { all.flatMap(\.states) }

    private var all: [any AlertSink] { [primary] + others }
}
