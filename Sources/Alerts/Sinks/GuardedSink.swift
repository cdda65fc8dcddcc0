internal import Dispatch
internal import Platform
internal import Reminders
internal import Systemd

/// A sink that protects the daemon from another sink that may hang.
///
/// It logs once when a batch takes longer than the deadline, and again when the sink has caught up. It limits the
/// number of waiting alerts. Alerts beyond the limit are reported as not sent, and the caller retries them.
final class GuardedSink: AlertSink {
    /// The largest number of alerts that wait for one sink. They take some megabytes.
    static let waitingAlertsLimit = 4_096

    private let sink: any AlertSink
    private let name: String
    private let gauge = Gauge()
    private let line: QueueConfined<WaitingLine>
    private let deadlineSeconds: Double?

    /// Creates a sink in front of `sink`.
    ///
    /// - Parameters:
    ///   - name: the name of the sink in messages, such as `journal`.
    ///   - deadlineSeconds: the time limit for a batch, or `nil` for a sink that has its own time limits.
    init(
        _ sink: any AlertSink, name: String, deadlineSeconds: Double?,
        waitingLimit: Int = GuardedSink.waitingAlertsLimit, log: Log
    ) {
        self.sink = sink
        self.name = name
        self.deadlineSeconds = deadlineSeconds
        line = QueueConfined(
            WaitingLine(name: name, limit: waitingLimit, gauge: gauge, log: log),
            to: DispatchQueue(label: "todod.alerts.guard"))
    }

    func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        line.async { [self] line in
            guard let ticket = line.enter(batch.alerts.count) else { return delivered([]) }
            if let deadlineSeconds {
                self.line.async(afterSeconds: deadlineSeconds) { $0.reachedDeadline(ticket) }
            }
            sink.send(batch) { [self] alerts in
                self.line.async { $0.leave(ticket) }
                delivered(alerts)
            }
        }
    }

    func closeAlerts(of itemIDs: [Int64]) {
        line.async { [sink] _ in sink.closeAlerts(of: itemIDs) }
    }

    func apply(_ settings: DeliverySettings) {
        line.async { [sink] _ in sink.apply(settings) }
    }

    func show(_ notice: DesktopNotice?) {
        line.async { [sink] _ in sink.show(notice) }
    }

    var states: [SinkState] {
        let (waiting, isFailing) = gauge.reading.withLock { $0 }
        return [
            SinkState(name: name, condition: isFailing ? .heldUp : sink.condition, waiting: waiting)
        ]
    }
}

/// The state of a waiting line, for all queues.
private final class Gauge: Sendable {
    let reading = Locked((waiting: 0, isFailing: false))
}

/// The batches that a sink has not finished yet.
private final class WaitingLine {
    private let name: String
    private let limit: Int
    private let log: Log
    private var alertsByTicket: [Int: Int] = [:]
    private let gauge: Gauge
    private var alerts = 0 {
        didSet { gauge.reading.withLock { $0.waiting = alerts } }
    }
    private var lastTicket = 0
    private var isFailing = false {
        didSet { gauge.reading.withLock { $0.isFailing = isFailing } }
    }

    init(name: String, limit: Int, gauge: Gauge, log: Log) {
        self.name = name
        self.limit = limit
        self.gauge = gauge
        self.log = log
    }

    /// Admits a batch and returns its ticket, or returns `nil` if too many alerts wait already.
    ///
    /// A batch is always admitted if no other one waits, however long it is.
    func enter(_ count: Int) -> Int? {
        guard alerts == 0 || alerts + count <= limit else {
            report("The \(name) does not keep up; it gets no more alerts until it does")
            return nil
        }
        lastTicket += 1
        alertsByTicket[lastTicket] = count
        alerts += count
        return lastTicket
    }

    func leave(_ ticket: Int) {
        alerts -= alertsByTicket.removeValue(forKey: ticket) ?? 0
        guard isFailing, alertsByTicket.isEmpty else { return }
        isFailing = false
        write(.notice, "The \(name) accepts alerts again")
    }

    func reachedDeadline(_ ticket: Int) {
        guard alertsByTicket[ticket] != nil else { return }
        report("The \(name) does not answer; its alerts wait, everything else continues")
    }

    private func report(_ message: String) {
        guard !isFailing else { return }
        isFailing = true
        write(.warning, message)
    }

    private func write(_ priority: Priority, _ message: String) {
        log.write(priority, message, id: .alertsHeldUp, fields: [(name: "TODO_SINK", value: name)])
    }
}
