import CivilTime
import Reminders
import Systemd
import Testing

@testable import Alerts

@Suite struct AlertMessageTests {
    @Test(arguments: [
        (Alert.Kind.dueSoon, 300.0 as Double?, "Pay the rent is due in 5 min (Fri 20 Nov 17:05)"),
        (.dueSoon, 0, "Pay the rent is due now (Fri 20 Nov 17:00)"),
        (.dueSoon, -30, "Pay the rent was due 30 s ago (Fri 20 Nov 16:59)"),
        (.missed, -7_200, "Pay the rent was missed: it was due 2 h ago (Fri 20 Nov 15:00)"),
        (.snoozed, 300, "Pay the rent, snoozed until now, is due in 5 min (Fri 20 Nov 17:05)"),
        (.snoozed, -7_200, "Pay the rent, snoozed until now, was due 2 h ago (Fri 20 Nov 15:00)"),
        (.snoozed, nil, "Pay the rent was snoozed until now"),
        (.overdue, -600, "Pay the rent is overdue: it was due 10 min ago (Fri 20 Nov 16:50)"),
        (.reminder, 7_200, "Pay the rent (reminder) is due in 2 h (Fri 20 Nov 19:00)"),
        (.reminder, nil, "Pay the rent (reminder)"),
    ])
    func eachKindHasItsMessage(kind: Alert.Kind, seconds: Double?, message: String) {
        #expect(Alert.test(kind: kind, dueIn: seconds).message(now: testMoment, zone: .utc) == message)
    }

    @Test(arguments: [
        (-62_135_596_800.0, "x was missed: it was due 2026 years ago (Mon 1 Jan 0001 00:00)"),
        (253_402_300_799.0, "x is due in 7973 years (Fri 31 Dec 9999 23:59)"),
        (1e15, "x is due in 31688031 years (outside the calendar)"),
    ])
    func messageNamesFirstAndLastDate(due: Double, message: String) {
        let kind: Alert.Kind = due < 0 ? .missed : .dueSoon
        let alert = Alert.test("x", kind: kind, dueIn: due - testMoment.secondsSince1970)
        #expect(alert.message(now: testMoment, zone: .utc) == message)
    }

    @Test(arguments: [
        ("a\nb", #"a\nb"#), ("\u{1B}[31mred", #"\u{1B}[31mred"#), ("a\u{202E}b", #"a\u{202E}b"#),
        ("nul\0", #"nul\u{0}"#), ("🧹🏽 sweep", "🧹🏽 sweep"), ("a\r\nb", #"a\u{D}\nb"#),
    ])
    func messageIsOneEscapedLine(name: String, shown: String) {
        let entry = Alert.test(name).journalEntry(now: testMoment, zone: .utc)
        #expect(entry.message == "\(shown) is due in 5 min (Fri 20 Nov 17:05)")
        #expect(entry.fields.first { $0.name == "TODO_NAME" }?.value == name)
    }

    @Test(arguments: [
        String(repeating: "x", count: 65_536), String(repeating: "🧹", count: 16_384),
        "x" + String(repeating: "\u{301}", count: 30_000), String(repeating: "\0", count: 65_536),
    ])
    func longNameIsShortenedInTheMessageOnly(name: String) {
        let entry = Alert.test(name).journalEntry(now: testMoment, zone: .utc)
        #expect(entry.message.utf8.count <= 1_024)
        #expect(entry.message.hasSuffix("… is due in 5 min (Fri 20 Nov 17:05)"))
        #expect(entry.fields.first { $0.name == "TODO_NAME" }?.value == name)
    }

    @Test(arguments: [
        (Alert.Kind.dueSoon, Int16(0), Priority.notice, MessageID.alert), (.dueSoon, 1, .warning, .alert),
        (.dueSoon, 4, .warning, .alert), (.dueSoon, 5, .notice, .alert), (.dueSoon, 9, .notice, .alert),
        (.snoozed, 0, .notice, .snoozedAlert), (.missed, 0, .warning, .missedAlert),
        (.overdue, 9, .warning, .overdueAlert),
        (.reminder, 9, .notice, .reminderAlert),
    ])
    func lateAndUrgentAlertsAreWarnings(
        kind: Alert.Kind, itemPriority: Int16, priority: Priority, id: MessageID
    ) {
        let entry = Alert.test(kind: kind, priority: itemPriority).journalEntry(now: testMoment, zone: .utc)
        #expect(entry.priority == priority)
        #expect(entry.id == id)
    }

    @Test func fieldsWithoutValueAreOmitted() {
        let full = Alert.test(category: "Home", priority: 1).fields(zone: .utc)
        #expect(
            full.map { "\($0.name)=\($0.value)" } == [
                "TODO_ALERT=due-soon", "TODO_ID=1", "TODO_UID=uid-1", "TODO_NAME=Pay the rent",
                "TODO_DUE=2026-11-20T17:05:00Z", "TODO_CATEGORY=Home", "TODO_PRIORITY=1",
            ])
        let bare = Alert.test(kind: .snoozed, dueIn: nil).fields(zone: .utc)
        #expect(bare.map(\.name) == ["TODO_ALERT", "TODO_ID", "TODO_UID", "TODO_NAME"])
    }
}
