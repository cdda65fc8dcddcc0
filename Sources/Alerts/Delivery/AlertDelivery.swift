internal import CivilTime
internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import Systemd

/// Sends the alerts of each check, and has them recorded when the sink has them.
///
/// Confined to the queue of the alert loop.
final class AlertDelivery {
    private let sink: any AlertSink
    private let recorder: AlertRecorder
    private let queue: DispatchQueue
    private let log: Log
    /// The items of each batch that is being sent, by the number of the batch. They get no other alert, however long it takes.
    private var itemIDsByBatch: [Int: [Int64]] = [:]
    private var batchCount = 0
    /// The number of saves so far. If none happened since a check, the entries that it read are still valid.
    private var saveCount = 0
    private var saves: ObservationToken?
    /// Empty while no alerts are being sent.
    let deliveries = DispatchGroup()

    init(
        to sink: any AlertSink, recorder: AlertRecorder, coordinator: PersistentStoreCoordinator,
        queue: DispatchQueue, log: Log
    ) {
        self.sink = sink
        self.recorder = recorder
        self.queue = queue
        self.log = log
        saves = coordinator.observeSaves { [unowned self] _ in saveCount += 1 }
    }

    /// The items with alerts that are being sent.
    var itemIDsBeingSent: Set<Int64> { itemIDsByBatch.isEmpty ? [] : Set(itemIDsByBatch.values.joined()) }

    /// Sends the alerts of a check.
    ///
    /// - Parameter done: called on the queue, after the alerts were recorded.
    func send(_ findings: AlertFindings, at now: Timestamp, then done: @escaping (AlertBatch) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard !findings.alerts.isEmpty else { return }
        let batch = AlertBatch(findings.alerts, at: now, delayedSince: findings.delayedSince)
        batchCount += 1
        itemIDsByBatch[batchCount] = batch.alerts.map(\.itemID)
        deliveries.enter()
        let confined = QueueConfined((delivery: self, done: done), to: queue)
        sink.send(batch) { [number = batchCount, entries = findings.alerted, saveCount] delivered in
            confined.async {
                let (delivery, done) = $0
                delivery.itemIDsByBatch[number] = nil
                let isAllAsRead = delivered.count == entries.count && saveCount == delivery.saveCount
                delivery.recorder.record(delivered, at: batch.moment, isAllAsRead ? entries : nil)
                done(batch)
                delivery.deliveries.leave()
            }
        }
    }

    // MARK: - Recording

    /// Records all alerts that are not saved yet. A failed save is retried at the next check.
    func recordPending() { _ = recorder.recordPending() }

    /// Records all unrecorded alerts before the store is closed, and returns whether that succeeded.
    ///
    /// A failed save is retried once. If that fails, too, each item is named in the journal.
    func recordLast() -> Bool {
        if recorder.recordPending() || recorder.recordPending() { return true }
        for item in recorder.unrecordedItems {
            log.write(
                .error, "The last alert of item \(item.id) could not be saved; it may be sent again",
                id: .itemNotSaved,
                fields: [(name: "TODO_ID", value: String(item.id))]
                    + (item.name.map { [(name: "TODO_NAME", value: $0)] } ?? []))
        }
        return false
    }
}
