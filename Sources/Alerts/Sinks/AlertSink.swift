package import Reminders

/// A destination for alerts.
///
/// Every operation returns at once. A sink uses its own queue for work that can block.
package protocol AlertSink: Sendable {
    /// Sends the alerts of a batch.
    ///
    /// - Parameter delivered: called once, on any queue, with the alerts that reached the user or a place where the user
    ///   can find them later.
    func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void)

    /// Closes the alerts of these items that are still visible, because the items need no more attention.
    func closeAlerts(of itemIDs: [Int64])

    /// Applies changed settings.
    func apply(_ settings: DeliverySettings)

    /// Shows a notice about the daemon itself and replaces the previous one. `nil` closes the previous one.
    func show(_ notice: DesktopNotice?)

    /// The condition of the sink. May be read on any queue.
    var condition: SinkState.Condition { get }

    /// The state of each sink that gets its alerts through this one.
    var states: [SinkState] { get }
}

extension AlertSink {
    /// Does nothing, because a delivered alert cannot be taken back in most sinks.
    package func closeAlerts(of itemIDs: [Int64]) {}

    /// Does nothing. Only the desktop shows notices, and the daemon writes them to the journal itself.
    package func show(_ notice: DesktopNotice?) {}

    /// Does nothing, because most sinks have no settings.
    package func apply(_ settings: DeliverySettings) {}

    package var condition: SinkState.Condition { .ready }

    package var states: [SinkState] { [] }
}
