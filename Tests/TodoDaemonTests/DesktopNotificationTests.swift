import CivilTime
import Reminders
import Systemd
import Testing

@testable import Alerts

@Suite struct DesktopNotificationTests {
    private func notification(_ alert: Alert) -> DesktopNotification {
        DesktopNotification(alert, now: testMoment, zone: .utc)
    }

    @Test(arguments: [
        (Alert.Kind.dueSoon, 300.0 as Double?, "Due in 5 min (Fri 20 Nov 17:05)"),
        (.dueSoon, 0, "Due now (Fri 20 Nov 17:00)"),
        (.missed, -7_200, "Missed: was due 2 h ago (Fri 20 Nov 15:00)"),
        (.snoozed, 300, "Snoozed until now: due in 5 min (Fri 20 Nov 17:05)"),
        (.snoozed, nil, "Snoozed until now"),
        (.overdue, -600, "Overdue: was due 10 min ago (Fri 20 Nov 16:50)"),
        (.reminder, 7_200, "Reminder: due in 2 h (Fri 20 Nov 19:00)"),
    ])
    func bodyContainsDueTime(kind: Alert.Kind, seconds: Double?, body: String) {
        let shown = notification(.test(kind: kind, dueIn: seconds))
        #expect(shown.summary == "Pay the rent")
        #expect(shown.body == body)
        #expect(notification(.test(kind: kind, dueIn: seconds, category: "Home")).body == body + "\nHome")
    }

    @Test(arguments: [
        (Alert.Kind.dueSoon, Int16(0), DesktopNotification.Urgency.normal), (.dueSoon, 1, .critical),
        (.dueSoon, 4, .critical),
        (.dueSoon, 5, .normal), (.dueSoon, 9, .low), (.snoozed, 9, .low), (.missed, 9, .normal),
        (.overdue, 6, .normal), (.overdue, 0, .normal), (.missed, 2, .critical),
    ])
    func urgencyComesFromPriorityAndKind(
        kind: Alert.Kind, priority: Int16, urgency: DesktopNotification.Urgency
    ) {
        #expect(notification(.test(kind: kind, priority: priority)).urgency == urgency)
    }

    @Test(arguments: [(1, 1), (3, 3), (4, 1), (1_000, 1)])
    func manyAlertsAreOneNotification(alerts: Int, notifications: Int) {
        #expect(DesktopNotification.all(for: .test(count: alerts), zone: .utc).count == notifications)
    }

    @Test func combinedNotificationNamesTheFirstItems() throws {
        let shown = try #require(DesktopNotification.all(for: .test(count: 12), zone: .utc).first)
        #expect(shown.summary == "12 alerts")
        #expect(
            shown.body == """
                item 0: due now (Fri 20 Nov 17:00)
                item 1: due in 1 s (Fri 20 Nov 17:00)
                item 2: due in 2 s (Fri 20 Nov 17:00)
                item 3: due in 3 s (Fri 20 Nov 17:00)
                item 4: due in 4 s (Fri 20 Nov 17:00)
                and 7 more
                """)
        #expect(shown.itemIDs == Set(0..<12))
    }

    @Test func delayedAlertsAreOneNotification() throws {
        let held = DesktopNotification.all(for: .test(count: 2, delayedSince: testMoment - 3_600), zone: .utc)
        #expect(held.map(\.summary) == ["2 alerts held back since Fri 20 Nov 16:00"])
        let alone = DesktopNotification.all(
            for: .test(count: 1, delayedSince: testMoment - 3_600), zone: .utc)
        #expect(alone.map(\.summary) == ["item 0"])
    }

    @Test func notificationIsShortAndEscaped() {
        let names = [
            String(repeating: "🧹", count: 20_000), "a\nb\0\u{202E}\u{1B}[31m",
            String(repeating: "\n", count: 65_536),
        ]
        for name in names {
            let shown = notification(.test(name, category: name))
            #expect(shown.summary.utf8.count <= 200)
            #expect(shown.body.utf8.count <= 300)
            #expect(!shown.summary.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        }
        let many = AlertBatch((0..<4).map { .test(names[0], id: $0) }, at: testMoment)
        #expect(DesktopNotification.all(for: many, zone: .utc)[0].body.utf8.count <= 2_000)
    }

    @Test func markupIsEscapedForServersThatReadIt() {
        let shown = notification(.test("<b>&</b>", category: "<i>A & B</i>"))
        let plain = shown.arguments(replacing: 0, capabilities: ["body"])
        let marked = shown.arguments(replacing: 7, capabilities: ["body", "body-markup"])
        #expect(plain[4] == .string("Due in 5 min (Fri 20 Nov 17:05)\n<i>A & B</i>"))
        #expect(marked[4] == .string("Due in 5 min (Fri 20 Nov 17:05)\n&lt;i&gt;A &amp; B&lt;/i&gt;"))
        // The summary is never markup.
        #expect(marked[3] == .string("<b>&</b>"))
        #expect(plain[1] == .uint32(0) && marked[1] == .uint32(7))
    }

    @Test func actionsNeedServerSupportAndASingleItem() {
        let actions = ["done", "Done", "snooze", "Snooze 10 min", "mute", "Mute"]
        let one = notification(.test())
        #expect(one.arguments(replacing: 0, capabilities: ["actions"])[5] == .strings(actions))
        #expect(one.arguments(replacing: 0, capabilities: [])[5] == .strings([]))
        let many = DesktopNotification.all(for: .test(count: 4), zone: .utc)[0]
        #expect(many.arguments(replacing: 0, capabilities: ["actions"])[5] == .strings([]))
    }

    @Test func notificationHasDesktopEntryAndUrgency() {
        let arguments = notification(.test(kind: .missed, priority: 1)).arguments(
            replacing: 0, capabilities: [])
        #expect(arguments.map(\.signature).joined() == "susssasa{sv}i")
        #expect(arguments[0] == .string("todod") && arguments[2] == .string("appointment-missed"))
        #expect(arguments[6] == .dictionary([("urgency", .byte(2)), ("desktop-entry", .string("todod"))]))
        #expect(arguments[7] == .int32(-1))
    }
}
