package import Reminders

/// Tells alerts in several places at once.
///
/// An alert counts as told when the first of them, the record, has it: that one is there for good and is where a
/// person can look later. The others fail alone.
package final class AlertSinks: AlertSink {
    private let record: any AlertSink
    private let others: [any AlertSink]

    package init(record: any AlertSink, others: [any AlertSink]) {
        self.record = record
        self.others = others
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

    private var all: [any AlertSink] { [record] + others }
}
