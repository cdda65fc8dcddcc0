import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Systemd
import TestBus
import Testing

@testable import Alerts

/// The loop, the store and a real notification server together, for an item that the user ignores.
@Suite struct AlertLoopDesktopTests {
    @Test func naggingItemHasOneUpToDateNotification() throws {
        let bus = try TestBus()
        try bus.startServer()
        let sink = DesktopSink(
            zone: LocalZone(.utc), log: Log(to: { _ in true }), busAddress: bus.address
        ) { _, _ in }
        var settings = AlertSettings.oneLead
        settings.nag = .minutes(10)
        let fixture = try AlertLoopFixture(settings, place: sink)
        let item = try fixture.add("Pay the rent", dueIn: 300)
        try fixture.add("Another", dueIn: 90 * 60)

        /// Advances the clock by this many minutes, and returns the replaced ID, summary and body of the notification
        /// shown then.
        func notification(after minutes: Double) throws -> String {
            fixture.clock.advance(minutes * 60)
            fixture.queue.sync { _ = fixture.loop.evaluate() }
            fixture.loop.deliveries.wait()
            let arguments = try bus.calls.next { $0.member == "Notify" }.arguments
            return
                "\(arguments[1].asUInt32 ?? 99) \(arguments[3].asString ?? "") \(arguments[4].asString ?? "")"
        }
        #expect(try notification(after: 0) == "0 Pay the rent Due in 5 min (Fri 20 Nov 17:05)")
        #expect(
            try notification(after: 15) == "1 Pay the rent Overdue: was due 10 min ago (Fri 20 Nov 17:05)")
        #expect(
            try notification(after: 10) == "1 Pay the rent Overdue: was due 20 min ago (Fri 20 Nov 17:05)")
        item.snoozedUntil = fixture.clock.now + 30 * 60
        try fixture.context.save()
        #expect(
            try notification(after: 30)
                == "1 Pay the rent Snoozed until now: was due 50 min ago (Fri 20 Nov 17:05)"
        )
        item.completed = true
        try fixture.context.save()
        #expect(try notification(after: 30) == "0 Another Due in 5 min (Fri 20 Nov 18:30)")
        #expect(bus.calls.isEmpty)
    }
}
