import CivilTime
import Reminders
import Systemd
import TestBus
import Testing

@testable import Alerts

/// The desktop sink with a notification server on a separate bus.
@Suite struct DesktopSinkTests {
    private struct Performed: Hashable {
        let action: AlertAction
        let itemID: Int64
    }

    private final class Fixture {
        let bus: TestBus
        let sink: DesktopSink
        let performed = Mailbox<Performed>()
        let lines = KeptLog()

        init(capabilities: String? = "actions body body-markup") throws {
            bus = try TestBus()
            if let capabilities { try bus.startServer(capabilities: capabilities) }
            let performed = performed
            sink = DesktopSink(
                zone: LocalZone(.utc), log: lines.log, busAddress: bus.address
            ) { performed.put(Performed(action: $0, itemID: $1)) }
        }

        /// Sends alerts, and returns those that were delivered.
        @discardableResult
        func send(_ alerts: Alert...) throws -> [Alert] {
            let delivered = Mailbox<[Alert]>()
            sink.send(AlertBatch(alerts, at: testMoment)) { delivered.put($0) }
            return try delivered.next()
        }

        /// Returns the next notification that the server was asked to show.
        func nextNotification() throws -> (replaces: UInt32?, summary: String?) {
            let arguments = try bus.calls.next { $0.member == "Notify" }.arguments
            return (arguments[1].asUInt32, arguments[3].asString)
        }
    }

    @Test func notificationIsShown() throws {
        let fixture = try Fixture()
        let alert = Alert.test("Pay <the> rent", category: "A & B")
        #expect(fixture.sink.condition == .unknown)
        #expect(try fixture.send(alert) == [alert])
        #expect(fixture.sink.condition == .ready)
        let call = try fixture.bus.calls.next { $0.member == "Notify" }
        #expect(call.arguments[3] == .string("Pay <the> rent"))
        #expect(call.arguments[4] == .string("Due in 5 min (Fri 20 Nov 17:05)\nA &amp; B"))
    }

    @Test func itemReplacesItsOwnNotificationOnly() throws {
        let fixture = try Fixture()
        try fixture.send(.test("a", id: 1), .test("b", id: 2))
        try fixture.send(.test("b again", id: 2))
        #expect(try fixture.nextNotification() == (0, "a"))
        #expect(try fixture.nextNotification() == (0, "b"))
        #expect(try fixture.nextNotification() == (2, "b again"))
    }

    @Test func combinedNotificationReplacesThePreviousOne() throws {
        let fixture = try Fixture()
        let alerts = AlertBatch.test(count: 12).alerts
        for _ in 0..<2 {
            let delivered = Mailbox<[Alert]>()
            fixture.sink.send(.test(count: 12)) { delivered.put($0) }
            #expect(try delivered.next() == alerts)
        }
        #expect(try fixture.nextNotification() == (0, "12 alerts"))
        #expect(try fixture.nextNotification() == (1, "12 alerts"))
    }

    @Test func notificationClosesWithItsAlert() throws {
        let fixture = try Fixture()
        try fixture.send(.test("a", id: 1), .test("b", id: 2))
        fixture.sink.closeAlerts(of: [2, 77])
        let closed = try fixture.bus.calls.next { $0.member == "CloseNotification" }
        #expect(closed.arguments.first == .int32(2))
        try fixture.send(.test("b", id: 2))
        _ = try fixture.nextNotification()
    }

    @Test func combinedNotificationClosesWithItsLastItem() throws {
        let fixture = try Fixture()
        let delivered = Mailbox<[Alert]>()
        fixture.sink.send(.test(count: 4)) { delivered.put($0) }
        _ = try delivered.next()
        fixture.sink.closeAlerts(of: [0, 1])
        fixture.sink.closeAlerts(of: [3])
        try fixture.send(.test("x", id: 9))
        #expect(try fixture.nextNotification() == (0, "4 alerts"))
        #expect(try fixture.bus.calls.next().member == "Notify")
        fixture.sink.closeAlerts(of: [2])
        #expect(try fixture.bus.calls.next().member == "CloseNotification")
    }

    @Test(arguments: [
        ("done", AlertAction.done), ("snooze", .snooze(.minutes(10))), ("mute", .mute),
    ])
    func actionIsPerformedOnItsItem(key: String, action: AlertAction) throws {
        let fixture = try Fixture()
        try fixture.send(.test("a", id: 41), .test("b", id: 42))
        try fixture.bus.emit("ActionInvoked", "us", [.uint32(2), .string(key)])
        #expect(try fixture.performed.next() == Performed(action: action, itemID: 42))
    }

    @Test func closingByTheUserDismissesTheAlert() throws {
        let fixture = try Fixture()
        try fixture.send(.test("a", id: 41), .test("b", id: 42))
        try fixture.bus.emit("NotificationClosed", "uu", [.uint32(1), .uint32(3)])
        try fixture.bus.emit("NotificationClosed", "uu", [.uint32(2), .uint32(2)])
        #expect(try fixture.performed.next() == Performed(action: .dismiss, itemID: 42))
        try fixture.bus.emit("NotificationClosed", "uu", [.uint32(2), .uint32(2)])
        #expect(fixture.performed.isEmpty)
    }

    /// Signals about notifications of other programs, about closed ones, and with wrong arguments.
    @Test func unrelatedSignalsAreIgnored() throws {
        let fixture = try Fixture()
        try fixture.send(.test("a", id: 1), .test("b", id: 2), .test("c", id: 3))
        try fixture.bus.emit("ActionInvoked", "us", [.uint32(99), .string("done")])
        try fixture.bus.emit("ActionInvoked", "us", [.uint32(1), .string("explode")])
        try fixture.bus.emit("ActionInvoked", "ss", [.string("1"), .string("done")])
        try fixture.bus.emit("ActionInvoked", "u", [.uint32(1)])
        try fixture.bus.emit("NotificationClosed", "s", [.string("1")])
        try fixture.bus.emit("NotificationClosed", "uu", [.uint32(2), .uint32(1)])
        try fixture.bus.emit("ActionInvoked", "us", [.uint32(2), .string("done")])
        try fixture.bus.emit("ActionInvoked", "us", [.uint32(3), .string("done")])
        #expect(try fixture.performed.next() == Performed(action: .done, itemID: 3))
        #expect(fixture.performed.isEmpty)
    }

    @Test func missingServerIsNotReported() throws {
        let fixture = try Fixture(capabilities: nil)
        #expect(try fixture.send(.test()) == [])
        fixture.bus.stop()
        #expect(try fixture.send(.test()) == [])
        #expect(fixture.sink.condition == .absent)
        #expect(fixture.lines.isEmpty)
    }

    @Test func busAndServerThatAppearLaterAreUsed() throws {
        let fixture = try Fixture(capabilities: nil)
        fixture.bus.stop()
        #expect(try fixture.send(.test()) == [])
        try fixture.bus.start()
        #expect(try fixture.send(.test()) == [])
        try fixture.bus.startServer()
        #expect(try fixture.send(.test()).count == 1)
        #expect(try fixture.nextNotification() == (0, "Pay the rent"))
    }

    /// The old server's IDs may belong to notifications of other programs on the new one.
    @Test func newServerReplacesNoOldNotifications() throws {
        let fixture = try Fixture()
        try fixture.send(.test())
        _ = try fixture.nextNotification()
        fixture.bus.stopServer()
        try fixture.bus.startServer(capabilities: "body")
        try fixture.send(.test())
        let call = try fixture.bus.calls.next { $0.member == "Notify" }
        #expect(call.arguments[1] == .uint32(0))
        #expect(call.arguments[5] == .strings([]))
    }

    @Test(arguments: [("s", "ret = 'seven'"), ("", "pass"), ("au", "ret = [1]"), ("t", "ret = 1")])
    func replyOfWrongTypeIsReportedOnce(type: String, code: String) throws {
        let fixture = try Fixture()
        try fixture.bus.replace("Notify", arguments: "susssasa{sv}i", result: type, code: code)
        for _ in 0..<2 { #expect(try fixture.send(.test()) == []) }
        #expect(fixture.sink.condition == .failing)
        #expect(
            try fixture.lines.next()
                == "The desktop did not show an alert: the answer has the wrong type; the alert is in the journal"
        )
        try fixture.bus.replace("Notify", arguments: "susssasa{sv}i", result: "u", code: "ret = 5")
        #expect(try fixture.send(.test()).count == 1)
        #expect(fixture.lines.isEmpty)
    }

    @Test func capabilitiesOfTheWrongTypeMeanNone() throws {
        let fixture = try Fixture()
        try fixture.bus.replace("GetCapabilities", arguments: "", result: "u", code: "ret = 3")
        #expect(try fixture.send(.test()).count == 1)
        #expect(try fixture.bus.calls.next { $0.member == "Notify" }.arguments[5] == .strings([]))
    }

    @Test func disconnectedBusEndsWaitForHangingServer() throws {
        let fixture = try Fixture()
        try fixture.send(.test())
        try fixture.bus.replace(
            "Notify", arguments: "susssasa{sv}i", result: "u", code: "time.sleep(1000)")
        let delivered = Mailbox<[Alert]>()
        fixture.sink.send(.test(count: 2)) { delivered.put($0) }
        #expect(delivered.isEmpty)
        fixture.bus.stop()
        #expect(try delivered.next() == [])
        try fixture.bus.start()
        try fixture.bus.startServer()
        #expect(try fixture.send(.test()).count == 1)
    }

    /// A bus may refuse each connection, so a notice alone does not connect again.
    @Test func noticeIsShownAgainWithNextAlert() throws {
        let fixture = try Fixture()
        let notice = DesktopNotice(summary: "One setting is wrong", text: "todod.conf:2")
        fixture.sink.show(notice) {}
        #expect(try fixture.nextNotification() == (0, "One setting is wrong"))
        fixture.bus.stop()
        try fixture.bus.start()
        try fixture.bus.startServer()
        try fixture.send(.test("Tea"))
        #expect(try fixture.nextNotification() == (0, "Tea"))
        #expect(try fixture.nextNotification() == (0, "One setting is wrong"))
    }

    @Test func notificationsCanBeTurnedOff() throws {
        let fixture = try Fixture()
        var settings = DeliverySettings()
        settings.showsOnDesktop = false
        fixture.sink.apply(settings)
        #expect(try fixture.send(.test("silent")) == [])
        #expect(fixture.sink.condition == .off)
        settings.showsOnDesktop = true
        fixture.sink.apply(settings)
        #expect(try fixture.send(.test("shown")).count == 1)
        #expect(try fixture.nextNotification() == (0, "shown"))
    }
}
