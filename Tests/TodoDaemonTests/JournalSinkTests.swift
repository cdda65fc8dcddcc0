import CivilTime
import Reminders
import Systemd
import TestBus
import Testing

@testable import Alerts

@Suite struct JournalSinkTests {
    /// Announces alerts to a journal that accepts the entries chosen by `accepts`, and to a standard error that
    /// accepts those chosen by `prints`.
    ///
    /// - Returns: the entries sent to the journal, and the alerts that count as delivered.
    private func announce(
        _ announcement: Announcement, accepts: @escaping @Sendable (JournalEntry) -> Bool = { _ in true },
        prints: @escaping @Sendable (String) -> Bool = { _ in true }
    ) throws -> (entries: [JournalEntry], told: [Alert]) {
        let sent = Mailbox<JournalEntry>()
        let told = Mailbox<[Alert]>()
        let send = { @Sendable (entry: JournalEntry) in
            sent.put(entry)
            return accepts(entry)
        }
        let sink = JournalSink(zone: LocalZone(.utc), send: send, print: prints)
        sink.announce(announcement) { told.put($0) }
        let alerts = try told.next()
        return (sent.all, alerts)
    }

    @Test(arguments: [(1, 1), (10, 10), (11, 12), (1_000, 1_001)])
    func summaryFollowsManyAlerts(count: Int, entries: Int) throws {
        let announcement = Announcement.test(count: count)
        let (sent, told) = try announce(announcement)
        #expect(sent.count == entries)
        #expect(told == announcement.alerts)
        #expect(
            sent.compactMap { entry in entry.fields.first { $0.name == "TODO_NAME" }?.value }
                == announcement.alerts.map(\.name))
    }

    @Test func summaryNamesTheFirstAndCountsTheRest() throws {
        let summary = try #require(try announce(.test(count: 1_000)).entries.last)
        #expect(summary.message == "1000 alerts: item 0, item 1, item 2 and 997 more")
        #expect(summary.id == .alertSummary)
        #expect(summary.fields.map { "\($0.name)=\($0.value)" } == ["TODO_ALERT=summary", "TODO_COUNT=1000"])
    }

    @Test func delayedAlertsAlwaysHaveASummary() throws {
        let since = testMoment - 3_600
        let (sent, told) = try announce(
            .test(.test("Pay\nthe rent", kind: .missed, dueIn: -60), heldSince: since))
        #expect(told.count == 1)
        #expect(
            sent.map(\.message) == [
                #"Pay\nthe rent was missed: it was due 60 s ago (Fri 20 Nov 16:59)"#,
                #"1 alert held back since Fri 20 Nov 16:00: Pay\nthe rent"#,
            ])
        #expect(sent.last?.fields.last?.value == "2026-11-20T16:00:00Z")
    }

    @Test func summaryOfLongNamesIsShort() throws {
        let alerts = (0..<11).map { Alert.test(String(repeating: "🧹", count: 20_000), id: $0) }
        let summary = try #require(AlertSummary(of: Announcement(alerts, at: testMoment)))
        #expect(summary.message(zone: .utc).utf8.count <= Alert.messageBytesLimit)
    }

    @Test func standardErrorCountsWithoutJournal() throws {
        let printed = Mailbox<String>()
        let (sent, told) = try announce(.test(count: 1), accepts: { _ in false }) { line in
            printed.put(line)
            return true
        }
        #expect(printed.all == sent.map { "todod: \($0.message)" })
        #expect(told.count == 1)
    }

    /// The others are retried at the next check.
    @Test func onlyWrittenAlertsCountAsDelivered() throws {
        let announcement = Announcement.test(count: 3)
        let (_, told) = try announce(
            announcement, accepts: { $0.message.hasPrefix("item 1 ") },
            prints: { !$0.hasPrefix("todod: item 0 ") })
        #expect(told == Array(announcement.alerts.dropFirst()))
    }
}
