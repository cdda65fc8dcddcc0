import CSystemd
import CivilTime
import Dispatch
import Glibc
import Reminders
import Systemd
import TodoDaemon

/// A thousand alerts at one moment: told by the sink of the journal, against sending as many entries made before.
struct AnnouncementBenchmark {
    private static let count = 1_000
    private static let limitSeconds = 0.150
    private static let rounds = 7

    func run(_ filter: String, _ report: (String) -> Void) {
        guard filter.isEmpty || filter == "alerts" else { return }
        report("")
        guard Journal.isPresent else {
            return report("No journal runs here, so telling alerts is not measured.")
        }
        let announcement = Self.announcement()
        let entries = announcement.alerts.map { alert in
            let entry = alert.journalEntry(now: announcement.moment, zone: .utc)
            return entry.allFields.map { Array("\($0.name)=\($0.value)".utf8) }
        }
        var raw: [Double] = []
        var beyond: [Double] = []
        for _ in 0..<Self.rounds {
            let time = seconds { for entry in entries { Self.send(entry) } }
            raw.append(time)
            beyond.append(seconds { Self.tell(announcement) } - time)
        }
        report("| work | sends alone | beyond them | limit |")
        report("| --- | ---: | ---: | ---: |")
        report(
            "| tell \(Self.count) alerts | \(text(ofSeconds: median(raw))) "
                + "| \(text(ofSeconds: median(beyond)))\(median(beyond) > Self.limitSeconds ? " (over)" : "") "
                + "| \(text(ofSeconds: Self.limitSeconds)) |")
    }

    private static func announcement() -> Announcement {
        let now = Timestamp.now
        let alerts = (0..<count).map { number in
            Alert(
                kind: .dueSoon, itemID: Int64(number), uid: "5f0c3a52-6f0e-4c56-9d0e-3b1f2c4d5e6f",
                name: "Benchmark of item \(number)", due: now + Double(number), category: "Home", priority: 0)
        }
        return Announcement(alerts, at: now)
    }

    private static func tell(_ announcement: Announcement) {
        let done = DispatchSemaphore(value: 0)
        JournalSink(zone: LocalZone(.utc)).announce(announcement) { told in
            precondition(told.count == count, "the journal did not take all alerts")
            done.signal()
        }
        done.wait()
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
