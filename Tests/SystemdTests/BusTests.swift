import CSystemd
import Dispatch
import Foundation
import TestBus
import Testing

@testable import Systemd

@Suite struct BusTests {
    static let driver = "org.freedesktop.DBus"
    static let getID = BusCall(to: driver, path: "/org/freedesktop/DBus", interface: driver, member: "GetId")

    /// A bus under test, and its queue.
    final class Subject {
        let queue = DispatchQueue(label: "test.subject")
        let bus: Bus
        let disconnections = Mailbox<Void>()

        init(address: String) {
            bus = Bus(queue: queue, address: address)
            bus.didDisconnect = { [disconnections] in disconnections.put(()) }
        }

        deinit { queue.sync { bus.close() } }

        func start(_ call: BusCall, timeoutSeconds: Double = 20) -> Mailbox<Result<[BusValue], BusFailure>> {
            let replies = Mailbox<Result<[BusValue], BusFailure>>()
            queue.sync { bus.call(call, timeoutSeconds: timeoutSeconds) { replies.put($0) } }
            return replies
        }

        func call(_ call: BusCall, timeoutSeconds: Double = 20) throws -> Result<[BusValue], BusFailure> {
            try start(call, timeoutSeconds: timeoutSeconds).next()
        }
    }

    @Test func methodIsCalled() throws {
        let test = try TestBus()
        let subject = Subject(address: test.address)
        let id = try subject.call(Self.getID).get()
        #expect(id.count == 1)
        #expect(id.first?.asString?.utf8.count == 32)
    }

    @Test(arguments: [
        "", "hello", "naïve 🧹", "a\nb\u{1B}\u{202E}", String(repeating: "x", count: 65_536),
    ])
    func textsArriveUnchanged(text: String) throws {
        #expect(try echo(.string(text)) == .string(text))
    }

    @Test(arguments: [UInt32(0), 0xFFFE, 0xFDD0, 0x10FFFF])
    func charactersRefusedByDBusAreReplaced(code: UInt32) throws {
        let scalar = try #require(Unicode.Scalar(code))
        #expect(try echo(.string("a\(scalar)b")) == .string("a\u{FFFD}b"))
    }

    @Test(arguments: [
        BusValue.byte(255), .boolean(true), .boolean(false), .int16(-3), .uint16(65_535), .int32(.min),
        .uint32(.max), .int64(.min), .uint64(.max), .double(-0.5), .objectPath("/a/b"), .signature("a{sv}"),
        .strings([]), .strings(["a", "b"]), .structure([.int32(1), .string("x")]), .variant(.byte(1)),
        .dictionary([("a", .uint32(1)), ("b", .strings(["c"]))]),
        .array(of: "as", [.strings(["a"]), .strings([])]),
    ])
    func valuesOfEveryTypeReadBack(value: BusValue) throws {
        #expect(try echo(value) == value)
    }

    /// Writes a message and reads it back, as the other end would read it.
    private func echo(_ value: BusValue) throws -> BusValue? {
        let test = try TestBus()
        var bus: OpaquePointer?
        var message: OpaquePointer?
        defer {
            sd_bus_message_unref(message)
            sd_bus_close_unref(bus)
        }
        sd_bus_new(&bus)
        sd_bus_set_address(bus, test.address)
        sd_bus_start(bus)
        sd_bus_message_new_method_call(bus, &message, "a.b", "/", "a.b", "C")
        let echo = BusMessage(pointer: try #require(message))
        try #require(echo.append([value]))
        try #require(sd_bus_message_seal(message, 1, 0) >= 0)
        return echo.values()?.first
    }

    @Test func valuesOfTheWrongTypeAreNotSent() throws {
        let test = try TestBus()
        let subject = Subject(address: test.address)
        let call = BusCall(
            to: Self.driver, path: "/", interface: Self.driver, member: "GetId",
            arguments: [.array(of: "s", [.uint32(1)])])
        #expect(try subject.call(call) == .failure(.malformed))
    }

    @Test func refusalHasNameAndMessage() throws {
        let test = try TestBus()
        let subject = Subject(address: test.address)
        let failure = try subject.call(
            BusCall(to: "dev.todod.Nobody", path: "/", interface: "a.b", member: "C"))
        guard case .failure(let reason) = failure, case .refused(let name, let message) = reason else {
            Issue.record("expected a refusal, got \(failure)")
            return
        }
        #expect(name == "org.freedesktop.DBus.Error.ServiceUnknown")
        #expect(message.contains("dev.todod.Nobody"))
        #expect(reason.isAbsence)
    }

    @Test func missingBusFailsAtOnceAndIsUsedWhenItAppears() throws {
        let test = try TestBus()
        test.stop()
        let subject = Subject(address: test.address)
        #expect(try subject.call(Self.getID) == .failure(.noBus))
        try test.start()
        #expect(try subject.call(Self.getID).get().count == 1)
    }

    @Test func stoppedBusFailsPendingCalls() throws {
        let test = try TestBus()
        try test.startServer()
        try test.replace("GetCapabilities", arguments: "", result: "as", code: "time.sleep(1000)")
        let subject = Subject(address: test.address)
        let reply = subject.start(
            BusCall(
                to: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: "GetCapabilities"))
        _ = try subject.call(Self.getID).get()
        test.stop()
        #expect(try reply.next() == .failure(.lost))
        try subject.disconnections.next()
        #expect(!subject.queue.sync { subject.bus.isConnected })
        try test.start()
        #expect(try subject.call(Self.getID).get().count == 1)
    }

    /// A server that is not a bus listens at the address and closes each connection.
    @Test func serverThatIsNoBusIsAFailure() throws {
        let test = try TestBus()
        test.stop()
        let listener = try HangUp(path: String(test.address.dropFirst("unix:path=".count)))
        let subject = Subject(address: test.address)
        for _ in 0..<2 {
            let failure = #expect(throws: BusFailure.self) { try subject.call(Self.getID).get() }
            // The connection may be closed before or after the first byte.
            #expect(failure == .noBus || failure == .lost)
        }
        listener.stop()
        try test.start()
        #expect(try subject.call(Self.getID).get().count == 1)
    }

    @Test func unansweredCallTimesOut() throws {
        let test = try TestBus()
        try test.startServer()
        try test.replace("GetCapabilities", arguments: "", result: "as", code: "time.sleep(1000)")
        let subject = Subject(address: test.address)
        let reply = try subject.call(
            BusCall(
                to: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: "GetCapabilities"), timeoutSeconds: 0.05)
        #expect(reply == .failure(.noAnswer))
    }

    @Test func closingFailsPendingCalls() throws {
        let test = try TestBus()
        try test.startServer()
        try test.replace("GetCapabilities", arguments: "", result: "as", code: "time.sleep(1000)")
        let subject = Subject(address: test.address)
        let reply = subject.start(
            BusCall(
                to: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: "GetCapabilities"))
        subject.queue.sync { subject.bus.close() }
        #expect(try reply.next() == .failure(.lost))
    }

    @Test func subscriptionOutlivesRestartOfBus() throws {
        let test = try TestBus()
        let subject = Subject(address: test.address)
        let signals = Mailbox<[BusValue]>()
        subject.queue.sync {
            subject.bus.subscribe(
                sender: "org.freedesktop.Notifications", interface: "org.freedesktop.Notifications",
                member: "NotificationClosed"
            ) { signals.put($0) }
        }
        for round in UInt32(1)...2 {
            try test.startServer()
            _ = try subject.call(Self.getID).get()
            try test.emit("NotificationClosed", "uu", [.uint32(round), .uint32(3)])
            #expect(try signals.next() == [.uint32(round), .uint32(3)])
            test.stopServer()
            if round == 1 {
                test.stop()
                try subject.disconnections.next()
                try test.start()
            }
        }
    }
}

/// A listening socket that closes every connection at once.
private final class HangUp {
    private let path: String
    private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    private let source: any DispatchSourceRead

    init(path: String) throws {
        self.path = path
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = descriptor
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(descriptor, 8) == 0)
        source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "test.hangup"))
        source.setEventHandler { @Sendable in close(accept(descriptor, nil, nil)) }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.resume()
    }

    func stop() {
        source.cancel()
        unlink(path)
    }
}
