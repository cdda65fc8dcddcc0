package import CivilTime
package import Reminders

/// Tells alerts in several places at once.
///
/// An alert counts as told when the first of them, the record, has it: that one is there for good and is where a
/// person can look later. The others fail alone.
package final class AlertSinks: AlertSink {
    /// A journal that takes longer has a trouble that is worth a line.
    private static let journalSeconds = 10.0
    /// More than the few calls it takes can last, each with its own deadline.
    private static let desktopSeconds = 30.0

    private let record: any AlertSink
    private let others: [any AlertSink]

    package init(record: any AlertSink, others: [any AlertSink]) {
        self.record = record
        self.others = others
    }

    /// All places that the daemon knows: the journal as the record, the desktop, and a command.
    ///
    /// - Parameter perform: carries out what a person chose on the desktop; called on any queue.
    package convenience init(
        zone: LocalZone, log: Log, perform: @escaping AlertAction.Perform
    ) {
        let desktop = DesktopSink(zone: zone, log: log, perform: perform)
        let command = CommandSink(zone: zone, log: log)
        self.init(
            record: GuardedSink(
                JournalSink(zone: zone), name: "journal", deadlineSeconds: Self.journalSeconds, log: log),
            others: [
                GuardedSink(desktop, name: "desktop", deadlineSeconds: Self.desktopSeconds, log: log),
                // Each run has a deadline of its own, and a thousand of them take their time.
                GuardedSink(command, name: "command", deadlineSeconds: nil, log: log),
            ])
    }

    package func announce(_ announcement: Announcement, told: @escaping @Sendable ([Alert]) -> Void) {
        record.announce(announcement, told: told)
        for sink in others { sink.announce(announcement) { _ in } }
    }

    package func withdraw(itemIDs: [Int64]) {
        for sink in all { sink.withdraw(itemIDs: itemIDs) }
    }

    package func apply(_ configuration: Configuration) {
        for sink in all { sink.apply(configuration) }
    }

    package func show(_ notice: DesktopNotice?) {
        for sink in all { sink.show(notice) }
    }

    package var states: [SinkState] { all.flatMap(\.states) }

    private var all: [any AlertSink] { [record] + others }
}
