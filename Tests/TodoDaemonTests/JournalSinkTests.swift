import CivilTime
import Reminders
import Systemd
import TestBus
import Testing

@testable import Alerts

@Suite struct JournalSinkTests {
    /// Sends alerts to a journal that accepts the entries chosen by `accepts`, and to a standard error that
    /// accepts those chosen by `prints`.
    ///
    /// - Returns: the entries sent to the journal, and the alerts that count as delivered.
    private func send(
        _ batch: AlertBatch, accepts: @escaping @Sendable (JournalEntry) -> Bool = { _ in true },
        prints: @escaping @Sendable (String) -> Bool = { _ in true }
    ) throws -> (entries: [JournalEntry], delivered: [Alert]) {
        let sent = Mailbox<JournalEntry>()
        let delivered = Mailbox<[Alert]>()
        let send = { @Sendable (entry: JournalEntry) in
            sent.put(entry)
            return accepts(entry)
        }
        let sink = JournalSink(zone: LocalZone(.utc), send: send, print: prints)
        sink.send(batch) { delivered.put($0) }
        let alerts = try delivered.next()
        return (sent.all, alerts)
    }

    @Test(arguments: [(1, 1), (10, 10), (11, 12), (1_000, 1_001)])
    func summaryFollowsManyAlerts(count: Int, entries: Int) throws {
        let batch = AlertBatch.test(count: count)
        let (sent, delivered) = try send(batch)
        #expect(sent.count == entries)
        #expect(delivered == batch.alerts)
        #expect(
            sent.compactMap { entry in entry.fields.first { $0.name == "TODO_NAME" }?.value }
                == batch.alerts.map(\.name))
    }

    @Test func summaryNamesTheFirstAndCountsTheRest() throws {
        let summary = try #require(try send(.test(count: 1_000)).entries.last)
        #expect(summary.message == "1000 alerts: item 0, item 1, item 2 and 997 more")
        #expect(summary.id == .alertSummary)
        #expect(summary.fields.map { "\($0.name)=\($0.value)" } == ["TODO_ALERT=summary", "TODO_COUNT=1000"])
    }

    @Test func delayedAlertsAlwaysHaveASummary() throws {
        let since = testMoment - 3_600
        let (sent, delivered) = try send(
            .test(.test("Pay\nthe rent", kind: .missed, dueIn: -60), delayedSince: since))
        #expect(delivered.count == 1)
        #expect(
            sent.map(\.message) == [
                #"Pay\nthe rent was missed: it was due 60 s ago (Fri 20 Nov 16:59)"#,
                #"1 alert held back since Fri 20 Nov 16:00: Pay\nthe rent"#,
            ])
        #expect(sent.last?.fields.last?.value == "2026-11-20T16:00:00Z")
    }

    @Test func summaryOfLongNamesIsShort() throws {
        let alerts = (0..<11).map { Alert.test(String(repeating: "🧹", count: 20_000), id: $0) }
        let summary = try #require(AlertSummary(of: AlertBatch(alerts, at: testMoment)))
        #expect(summary.message(zone: .utc).utf8.count <= Alert.messageBytesLimit)
    }

    @Test func standardErrorCountsWithoutJournal() throws {
        let printed = Mailbox<String>()
        let (sent, delivered) = try send(.test(count: 1), accepts: { _ in false }) { line in
            printed.put(line)
            return true
        }
        #expect(printed.all == sent.map { "todod: \($0.message)" })
        #expect(delivered.count == 1)
    }

    /// The others are retried at the next check.
    @Test func onlyWrittenAlertsCountAsDelivered() throws {
        let batch = AlertBatch.test(count: 3)
        let (_, delivered) = try send(
            batch, accepts: { $0.message.hasPrefix("item 1 ") },
            prints: { !$0.hasPrefix("todod: item 0 ") })
        #expect(delivered == Array(batch.alerts.dropFirst()))
    }
}
