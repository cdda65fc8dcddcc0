import Alerts
import CSystemd
import CivilTime
import Dispatch
import Glibc
import ObjectStore
import Reminders
import Systemd

/// A thousand items that become due at one moment. They are found, sent to the journal and recorded, against
/// sending the same number of prepared entries.
struct AlertBatchBenchmark {
    private static let count = 1_000
    private static let limitSeconds = 0.150
    private static let rounds = 7
    /// Friday 2026-11-20 17:00 UTC.
    private static let now = Timestamp(secondsSince1970: 1_795_194_000)

    let directory: String

    func run(_ filter: String, _ report: (String) -> Void) throws {
        guard filter.isEmpty || filter == "alerts" else { return }
        report("")
        guard Journal.isPresent else {
            return report("No journal runs here, so sending alerts is not measured.")
        }
        let path = directory + "/alerts.sqlite"
        let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
        try coordinator.addStore(.sqlite(path: path))
        defer { coordinator.close() }
        let reminders = RawReminders(path, now: Self.now.secondsSince1970)
        reminders.fill(Self.count)
        let context = ManagedObjectContext(coordinator: coordinator)
        let queue = DispatchQueue(label: "benchmark")
        let alertTimes = AlertTimes(context: context, planner: AlertPlanner(), zone: LocalZone(.utc)) {
            Self.now
        }
        let loop = try AlertLoop(
            context: context, alertTimes: alertTimes, sink: JournalSink(zone: LocalZone(.utc)),
            schedule: .minutes,
            queue: queue, zone: LocalZone(.utc),
            now: { Self.now }, log: Log())
        let entries = Self.entries()
        var raw: [Double] = []
        var beyond: [Double] = []
        for _ in 0..<Self.rounds {
            let time = seconds { for entry in entries { Self.send(entry) } }
            reminders.makeDue(Self.count)
            // The update bypasses `AlertTimes`, so its earliest alert time is cleared.
            alertTimes.earliest = nil
            raw.append(time)
            beyond.append(
                seconds {
                    queue.sync { precondition(loop.evaluate().count == Self.count) }
                    loop.deliveries.wait()
                } - time)
        }
        report("| work | sends alone | beyond them | limit |")
        report("| --- | ---: | ---: | ---: |")
        report(
            "| send and record \(Self.count) alerts | \(text(ofSeconds: median(raw))) "
                + "| \(text(ofSeconds: median(beyond)))\(median(beyond) > Self.limitSeconds ? " (over)" : "") "
                + "| \(text(ofSeconds: Self.limitSeconds)) |")
    }

    /// The entries that the sink of the journal sends for such items, as bytes.
    private static func entries() -> [[[UInt8]]] {
        (1...count).map { number in
            let alert = Alert(
                kind: .dueSoon, itemID: Int64(number), uid: "uid-\(number)",
                name: "Call number \(number) about the delivery", due: now + 60, category: nil,
                priority: Int16(number % 10))
            return alert.journalEntry(now: now, zone: .utc).allFields.map {
                Array("\($0.name)=\($0.value)".utf8)
            }
        }
    }

    private static func send(_ fields: [[UInt8]]) {
        var block = fields.flatMap { $0 }
        block.withUnsafeMutableBytes { bytes in
            var start = 0
            let vectors = fields.map { field in
                defer { start += field.count }
                return iovec(iov_base: bytes.baseAddress.map { $0 + start }, iov_len: field.count)
            }
            _ = sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}
