import CivilTime
import Foundation
import TestServers
import Testing

/// Promise 7 of docs/sync.md: no alert is sent twice where this can be known.
///
/// The tests restart todod at a later time, because alerts that became due meanwhile are sent at the start.
@Suite(.waiting) struct SyncAlertTests {
    private static let due = "2026-11-18T12:00"
    private static let later = Sandbox.clock(
        at: RFC3339.moment("2026-11-18T12:00:30Z") ?? Timestamp(secondsSince1970: 0))

    /// Starts two machines with the items `handled` and `kept`, which are due in the future.
    private func machines(_ kind: ServerKind) throws -> (SyncedMachine, SyncedMachine) {
        let tasks = try RemoteTasks(kind)
        let (one, two) = (try SyncedMachine(tasks), try SyncedMachine(tasks))
        for name in ["handled", "kept"] { try one.addItem("\(name) --due \(Self.due)") }
        try one.synchronize()
        try two.synchronize()
        return (one, two)
    }

    /// Whether a machine has sent an alert for an item since its last start.
    private func hasAlerted(_ name: String, _ machine: SyncedMachine) throws -> Bool {
        _ = try machine.run("evaluate")
        return machine.todod.errors.split(separator: "\n").contains {
            $0.hasPrefix("todod: \(name) ") || $0.contains("'\(name)'") || $0.contains(" \(name) was due")
        }
    }

    @Test(arguments: [ServerKind.radicale, .xandikos], ["done", "delete", "edit --due 2026-12-24"])
    func itemThatWasHandledElsewhereIsNotAlerted(kind: ServerKind, change: String) throws {
        let (one, two) = try machines(kind)
        let words = change.split(separator: " ", maxSplits: 1)
        try one.run("\(words[0]) \(one.id("handled")) \(words.dropFirst().first ?? "")")
        try one.synchronize()
        try two.synchronize()
        try two.restart(environment: Self.later)
        #expect(try !hasAlerted("handled", two), "\(two.todod.errors)")
        #expect(try hasAlerted("kept", two), "\(two.todod.errors)")
    }

    /// A snooze on one machine is a snooze on the other.
    @Test(arguments: [ServerKind.radicale, .xandikos])
    func snoozeElsewhereDelaysTheAlert(kind: ServerKind) throws {
        let (one, two) = try machines(kind)
        // The alert of the lead time is sent on the first machine alone.
        try one.restart(
            environment: Sandbox.clock(
                at: RFC3339.moment("2026-11-18T11:56:00Z") ?? Timestamp(secondsSince1970: 0)))
        #expect(try hasAlerted("handled", one), "\(one.todod.errors)")
        try one.run("snooze \(one.id("handled")) 3h")
        try one.synchronize()
        try two.synchronize()
        try two.restart(environment: Self.later)
        #expect(try !hasAlerted("handled", two), "\(two.todod.errors)")
        #expect(try hasAlerted("kept", two), "\(two.todod.errors)")
        #expect(try two.item("handled")["snoozedUntil"] != nil)
    }

    /// Other programs write ACKNOWLEDGED (RFC 9074) or X-MOZ-LASTACK when the user closes an alert.
    @Test(arguments: [ServerKind.radicale, .xandikos], ["ACKNOWLEDGED", "X-MOZ-LASTACK"])
    func alertAcknowledgedElsewhereIsNotSent(kind: ServerKind, property: String) throws {
        let tasks = try RemoteTasks(kind)
        for name in ["handled", "kept"] {
            try tasks.add(
                name, "DTSTART:20261118T100000Z", "DUE:20261118T120000Z", "BEGIN:VALARM", "ACTION:DISPLAY",
                "DESCRIPTION:x",
                "TRIGGER;RELATED=END:-PT5M", "END:VALARM")
        }
        let machine = try SyncedMachine(tasks)
        try machine.run("quiet until 14:00")
        // The alerts become due in the quiet time, in which another program ends one of them.
        try machine.restart(environment: Self.later)
        #expect(try !hasAlerted("kept", machine), "\(machine.todod.errors)")
        let line = "\(property):20261118T120010Z"
        try tasks.edit("handled.ics") { text in
            property == "ACKNOWLEDGED"
                ? text.replacing("END:VALARM", with: "\(line)\r\nEND:VALARM")
                : text.replacing("END:VTODO", with: "\(line)\r\nEND:VTODO")
        }
        try machine.synchronize()
        try machine.restart(
            environment: Sandbox.clock(
                at: RFC3339.moment("2026-11-18T14:00:30Z") ?? Timestamp(secondsSince1970: 0)))
        #expect(try !hasAlerted("handled", machine), "\(machine.todod.errors)")
        #expect(try hasAlerted("kept", machine), "\(machine.todod.errors)")
    }

    @Test(arguments: ServerKind.allCases)
    func firstSynchronizationSendsNoPastAlert(kind: ServerKind) throws {
        let tasks = try RemoteTasks(kind)
        try tasks.add("past", "DUE:20261117T090000Z")
        try tasks.add("date", "DUE;VALUE=DATE:20261101")
        try tasks.add(
            "alarm", "DTSTART:20261118T090000Z", "DUE:20261118T230000Z", "BEGIN:VALARM", "ACTION:DISPLAY",
            "DESCRIPTION:x",
            "TRIGGER;RELATED=START:-PT5M", "END:VALARM")
        try tasks.add("repeating", "DTSTART:20261101T090000Z", "DUE:20261101T093000Z", "RRULE:FREQ=DAILY")
        let machine = try SyncedMachine(tasks)
        _ = try machine.run("evaluate")
        for name in ["past", "date", "alarm", "repeating"] {
            #expect(try !hasAlerted(name, machine), "\(machine.todod.errors)")
        }
        #expect(try machine.names().count == 4)
    }

    /// A client that shows notifications is asked to close them.
    @Test(arguments: ["done", "delete"])
    func itemHandledElsewhereClosesItsNotification(change: String) throws {
        let (one, two) = try machines(.radicale)
        try two.restart(environment: Self.later)
        #expect(try hasAlerted("handled", two), "\(two.todod.errors)")
        try one.run("\(change) \(one.id("handled"))")
        try one.synchronize()
        try two.synchronize()
        // An alert that waits for the desktop or for a repetition would come after the end of the item.
        #expect(try !two.run("next").contains("handled"))
        #expect(try two.run("list").contains("kept"))
        #expect(try !two.run("list").contains("handled"))
    }
}
