internal import Alerts
internal import Reminders

/// Passes alerts to another sink, and reports them to the watchers.
final class WatchSink: AlertSink {
    private let sink: any AlertSink
    private let hub: QueueConfined<WatchHub>

    init(_ sink: any AlertSink, hub: QueueConfined<WatchHub>) {
        self.sink = sink
        self.hub = hub
    }

    func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        hub.async { $0.notify(batch) }
        sink.send(batch, delivered: delivered)
    }

    func closeAlerts(of itemIDs: [Int64]) {
        sink.closeAlerts(of: itemIDs)
    }

    func apply(_ settings: DeliverySettings) {
        sink.apply(settings)
    }

    func show(_ notice: DesktopNotice?) {
        sink.show(notice)
    }

    var states: [SinkState] { sink.states }
}
