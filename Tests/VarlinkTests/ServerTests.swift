import Dispatch
import Foundation
import Platform
import Testing
import Varlink
import VarlinkServer

/// The server on a real socket.
@Suite struct ServerTests {
    private func call(_ method: String, more: Bool = false) -> [UInt8] {
        MethodCall.bytes("t.\(method)", wantsMore: more) { _ in }
    }

    @Test func callsSentTogetherShareTurnAndAreAnsweredInOrder() throws {
        let service = try LocalService()
        let client = try service.connect()
        let calls = (0..<40).map { _ in call("Count") }
        try client.send(Array(calls.joined(separator: [0])))
        let numbers = try (0..<40).map { _ in try client.nextReply().parameters["number"] }
        #expect(numbers == (1...40).map { .integer($0) })
        #expect(service.turns == 1)
    }

    @Test func failedTurnAnswersEachOfItsCalls() throws {
        let service = try LocalService()
        let client = try service.connect()
        try client.send(
            call("Count") + [0] + call("Fail") + [0] + call("Stream", more: true) + [0] + call("Count"))
        for _ in 0..<3 { #expect(try client.nextReply().error == "t.Failed") }
        // The call that waits for the end of the stream is handled in another turn.
        #expect(try client.nextReply().parameters["number"] == .integer(3))
    }

    @Test func callsBeyondLimitGetAnotherTurn() throws {
        let service = try LocalService()
        let client = try service.connect()
        let count = Server.callsPerTurnLimit + 1
        let calls = (0..<count).map { _ in call("Count") }
        // The queue is blocked until all calls have arrived.
        try service.onQueue { try client.send(Array(calls.joined(separator: [0]))) }
        for number in 1...count {
            #expect(try client.nextReply().parameters["number"] == .integer(Int64(number)))
        }
        #expect(service.turns >= 2)
    }

    @Test func excessConnectionIsRefusedWithError() throws {
        let service = try LocalService()
        let clients = try (0..<Server.connectionsLimit).map { _ in try service.connect() }
        for client in clients { try client.send(call("Count")) }
        for client in clients { #expect(try client.nextReply().error == nil) }
        let late = try service.connect()
        let reply = try late.nextReply()
        #expect(reply.error == "t.Broken")
        #expect(reply.parameters["reason"] == .string("128 connections are already open; close one of them"))
    }

    /// R5: Long calls end their turn, so that other clients get their replies in between.
    @Test func longCallsEndTheirTurn() throws {
        let service = try LocalService(turnMilliseconds: 0)
        let client = try service.connect()
        let calls = (0..<5).map { _ in call("Count") }
        try client.send(Array(calls.joined(separator: [0])))
        for number in 1...5 {
            #expect(try client.nextReply().parameters["number"] == .integer(Int64(number)))
        }
        #expect(service.turns == 5)
    }

    /// R7: Connections that watch leave room for others.
    @Test func listenersLeaveRoomForShortCalls() throws {
        let service = try LocalService()
        let listeners = try (0..<Server.listenersLimit).map { _ in try service.connect() }
        for listener in listeners {
            try listener.send(call("Listen", more: true))
            service.waitForListener()
        }
        let late = try service.connect()
        try late.send(call("Listen", more: true))
        let reply = try late.nextReply()
        #expect(reply.error == "t.Broken")
        #expect(reply.parameters["reason"] == .string("112 connections already watch; close one of them"))
        #expect(throws: ClientConnection.HungUp.self) { try late.nextReply() }
        let client = try service.connect()
        try client.send(call("Count"))
        #expect(try client.nextReply().error == nil)
    }

    /// R7: When all connections are taken, a new one replaces the one that has been idle longest.
    @Test func newConnectionReplacesTheLongestIdleOne() throws {
        let service = try LocalService(crowdedIdleSeconds: 0)
        let clients = try (0..<Server.connectionsLimit).map { _ in try service.connect() }
        for client in clients {
            try client.send(call("Count"))
            #expect(try client.nextReply().error == nil)
        }
        let late = try service.connect()
        try late.send(call("Count"))
        #expect(try late.nextReply().error == nil)
        #expect(throws: ClientConnection.HungUp.self) { try clients[0].nextReply() }
        try clients[1].send(call("Count"))
        #expect(try clients[1].nextReply().error == nil)
    }

    /// R7: The unread replies of all connections have a limit. Clients that read are served beyond it.
    @Test func unreadRepliesOfAllConnectionsAreBounded() throws {
        let service = try LocalService(turnMilliseconds: 60_000, heldBytes: 512 << 10)
        let calls = (0..<30).map { _ in call("Short") }
        let reader = try service.connect()
        // The client does not read. It gets replies up to the limit, and those that fit in the socket's
        // buffer.
        let greedy = try service.connect()
        try greedy.send(Array(calls.joined(separator: [0])))
        for _ in 0..<10 {
            try reader.send(call("Count"))
            #expect(try reader.nextReply().error == nil)
        }
        let before = service.shortReplies
        #expect(before < 20)
        // The next client gets the replies that fit in the socket's buffer, and one that does not.
        let late = try service.connect()
        try late.send(Array(calls.joined(separator: [0])))
        for _ in 0..<10 {
            try reader.send(call("Count"))
            #expect(try reader.nextReply().error == nil)
        }
        #expect(service.shortReplies - before < 8)
        // A long reply is refused, and the connection is closed.
        let long = try service.connect()
        try long.send(call("Long"))
        #expect(try long.nextReply().error == "t.Broken")
        #expect(throws: ClientConnection.HungUp.self) { try long.nextReply() }
        // The reply to a completed change is sent all the same.
        try reader.send(call("BackgroundChange"))
        #expect(try reader.nextReply().error == nil)
        // All calls are answered once their clients read.
        for client in [late, greedy] {
            for _ in calls { #expect(try client.nextReply().error == nil) }
        }
        let again = try service.connect()
        try again.send(call("Long"))
        #expect(try again.nextReply().error == nil)
    }

    /// The umask belongs to all threads. Listeners that set it in two threads at once could leave it set, and every later
    /// directory of the process was unusable.
    @Test func listenersCreatedAtOnceKeepTheMask() throws {
        func mask() throws -> Substring? {
            try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n")
                .first { $0.hasPrefix("Umask:") }
        }
        let before = try mask()
        let modes = Locked<Set<UInt32>>([])
        DispatchQueue.concurrentPerform(iterations: 400) { number in
            let path = "/tmp/varlink-\(UUID().uuidString.prefix(8))-\(number)"
            guard let address = UnixAddress(path: path), let listener = try? UnixListener(at: address) else {
                return
            }
            let mode = try? FileStatus(of: path).permissions
            modes.withLock { _ = $0.insert(mode ?? 0) }
            listener.close()
        }
        #expect(modes.withLock { $0 } == [0o600])
        #expect(try mask() == before)
    }

    /// If another process has replaced the socket file with its own, that file is kept.
    @Test func listenerRemovesOnlyItsOwnFile() throws {
        let path = "/tmp/varlink-\(UUID().uuidString.prefix(8))"
        let address = try #require(UnixAddress(path: path))
        try UnixListener(at: address).close()
        #expect(!FileManager.default.fileExists(atPath: path))
        let first = try UnixListener(at: address)
        try FileManager.default.removeItem(atPath: path)
        let second = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(second) }
        #expect(address.withSocketAddress { bind(second, $0, $1) } == 0)
        first.close()
        #expect(FileManager.default.fileExists(atPath: path))
        try FileManager.default.removeItem(atPath: path)
    }

    /// R8: A socket is not made in a directory where other users could replace it.
    @Test(arguments: [(0o700, true), (0o755, true), (0o1777, true), (0o757, false), (0o777, false)])
    func directoryOfOthersIsRefused(mode: Int, isAccepted: Bool) throws {
        let directory = "/tmp/varlink-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        #expect(chmod(directory, mode_t(mode)) == 0)
        let address = try #require(UnixAddress(path: "\(directory)/s"))
        if isAccepted {
            try UnixListener(at: address).close()
        } else {
            let error = try #require(throws: UnsafeDirectory.self) { try UnixListener(at: address) }
            #expect(error.description.hasSuffix("run:  chmod go-w '\(directory)'"))
        }
    }

    @Test func connectionOfAnotherUserIsRefused() throws {
        let service = try LocalService(ownerID: getuid() + 1)
        let client = try service.connect()
        #expect(try client.nextReply().error == "org.varlink.service.PermissionDenied")
        #expect(throws: ClientConnection.HungUp.self) { try client.nextReply() }
    }

    @Test func idleConnectionIsClosedButListenerIsKept() throws {
        let service = try LocalService(idleSeconds: 1)
        let listener = try service.connect()
        try listener.send(call("Listen", more: true))
        let idle = try service.connect()
        let half = try service.connect()
        try half.send(Array("{\"method\":\"t.Co".utf8))
        #expect(throws: ClientConnection.HungUp.self) { try idle.nextReply() }
        #expect(try half.nextReply().error == "t.Broken")
        service.tellListeners()
        #expect(try listener.nextReply().parameters["number"] == .integer(1))
    }

    /// The connection is idle although its call is in progress, because the client does not read the replies.
    @Test func clientThatDoesNotReadStreamIsIdle() throws {
        let service = try LocalService(idleSeconds: 1)
        let client = try service.connect()
        try client.send(call("Stream", more: true))
        service.waitForGoodbye()
        withExtendedLifetime(client) {}
    }

    /// Neither within a message nor before one.
    @Test(arguments: ["{", ""]) func occasionalBytesDoNotKeepConnection(beginning: String) throws {
        let service = try LocalService(idleSeconds: 1)
        let client = try service.connect()
        try client.sendBytes(Array(beginning.utf8))
        var sentCount = 0
        #expect(throws: ClientConnection.HungUp.self) {
            try client.nextReply(onIdle: {
                sentCount += 1
                // If the connection is still open, the client finally sends a malformed message and gets an
                // error.
                try? client.sendBytes(Array((sentCount < 100 ? " " : "x\0").utf8))
            })
        }
        #expect(sentCount < 100)
    }

    /// Each of its messages arrives in time, though all of them together take longer than the limit.
    @Test func slowClientIsServed() throws {
        let service = try LocalService(idleSeconds: 2)
        let client = try service.connect()
        let listener = try service.connect()
        let begin = ContinuousClock.now
        while begin.duration(to: ContinuousClock.now) < .seconds(3) {
            let bytes = call("Count") + [0]
            try client.sendBytes(Array(bytes[..<8]))
            // The server has read the first part before the second one is sent.
            try listener.send(call("Count"))
            _ = try listener.nextReply()
            try client.sendBytes(Array(bytes[8...]))
            #expect(try client.nextReply().error == nil)
        }
    }

    @Test func streamWaitsForItsReader() throws {
        let service = try LocalService()
        let slow = try service.connect()
        try slow.send(call("Stream", more: true))
        #expect(try slow.nextReply().continues)
        // Other clients are served while it waits.
        let other = try service.connect()
        for _ in 0..<100 {
            try other.send(call("Count"))
            _ = try other.nextReply()
        }
        #expect(service.streamed < LocalService.streamLength)
        var count = 1
        while try slow.nextReply().continues { count += 1 }
        #expect(count + 1 == LocalService.streamLength)
    }

    @Test func slowStreamEndsWithError() throws {
        let service = try LocalService()
        let slow = try service.connect()
        try slow.send(call("ShortStream", more: true))
        service.waitForTimeout()
        var last = try slow.nextReply()
        while last.continues { last = try slow.nextReply() }
        #expect(last.error == "t.TooSlow")
        try slow.send(call("Count"))
        #expect(try slow.nextReply().error == nil)
    }

    /// A client that expects no reply need not wait. In the last round there is more than the server reads at
    /// once.
    @Test(arguments: [1, 5, 2_000]) func onewayCallsAreHandledAfterClientDisconnected(count: Int)
        throws
    {
        let service = try LocalService()
        let calls = (0..<count).map { number in
            MethodCall.bytes(number == 0 ? "t.Hold" : "t.Count", isOneway: true) { fields in
                fields.name("padding")
                fields.value(String(repeating: "x", count: 50))
            }
        }
        try service.connect().send(Array(calls.joined(separator: [0])))
        service.waitForGoodbye()
        let client = try service.connect()
        try client.send(call("Count"))
        #expect(try client.nextReply().parameters["number"] == .integer(Int64(count + 1)))
        #expect(service.onQueue { service.server.connectionCount } == 1)
    }

    @Test func disconnectedListenerIsNoticed() throws {
        let service = try LocalService()
        do {
            let listener = try service.connect()
            try listener.send(call("Listen", more: true))
            service.waitForListener()
        }
        service.waitForGoodbye()
        #expect(service.onQueue { service.server.connectionCount } == 0)
    }
}

/// A service with methods that show how a server treats them.
///
/// `@unchecked Sendable`: all state is used on the queue only.
private final class LocalService: @unchecked Sendable {
    static let streamLength = 2_000

    let queue = DispatchQueue(label: "service")
    private let path: String
    private(set) var server: Server!
    private var counted: Int64 = 0
    private var turnCount = 0
    private var streamCount = 0
    private var shortCount = 0
    private var isFailing = false
    private var listeners: [() -> Void] = []
    private let listenerCame = DispatchSemaphore(value: 0)
    private let listenerLeft = DispatchSemaphore(value: 0)
    private let timedOut = DispatchSemaphore(value: 0)

    init(
        idleSeconds: Int = Server.idleSecondsLimit,
        crowdedIdleSeconds: Int = Server.crowdedIdleSecondsLimit,
        turnMilliseconds: Int = Server.turnMillisecondsLimit, heldBytes: Int = Server.heldBytesLimit,
        ownerID: UInt32 = getuid()
    ) throws {
        path = "/tmp/varlink-\(UUID().uuidString.prefix(8))"
        let address = try #require(UnixAddress(path: path))
        try queue.sync {
            server = Server(
                listener: try UnixListener(at: address), queue: queue, brokenMessageError: "t.Broken",
                idleSeconds: idleSeconds, crowdedIdleSeconds: crowdedIdleSeconds,
                turnMilliseconds: turnMilliseconds, heldBytes: heldBytes, ownerID: ownerID,
                handle: { [unowned self] in answer($0) },
                turn: { [unowned self] in turn($0) })
            try server.start()
        }
    }

    deinit {
        let server = QueueBound(server)
        queue.sync { server.value?.stop() }
    }

    func connect() throws -> ClientConnection {
        try ClientConnection(to: try #require(UnixAddress(path: path)))
    }

    func onQueue<Result>(_ body: () throws -> Result) rethrows -> Result { try queue.sync(execute: body) }

    var turns: Int { queue.sync { turnCount } }
    var streamed: Int { queue.sync { streamCount } }
    var shortReplies: Int { queue.sync { shortCount } }

    func tellListeners() {
        queue.sync {
            for tell in listeners { tell() }
        }
    }

    func waitForListener() { #expect(listenerCame.wait(timeout: .now() + 30) == .success) }
    func waitForGoodbye() { #expect(listenerLeft.wait(timeout: .now() + 30) == .success) }
    func waitForTimeout() { #expect(timedOut.wait(timeout: .now() + 30) == .success) }

    private func turn(_ calls: () -> Void) -> [UInt8]? {
        turnCount += 1
        isFailing = false
        calls()
        return isFailing ? MethodReply.bytes(error: "t.Failed") { _ in } : nil
    }

    private func answer(_ responder: Responder) {
        switch responder.call.method {
        case "t.Stream", "t.ShortStream":
            let numbers = Numbers(
                available: Self.streamLength, isEndless: false, padding: 1_000,
                onNext: { [unowned self] in streamCount += 1 },
                onTimeout: { [timedOut] in timedOut.signal() },
                onEnd: { [listenerLeft] in listenerLeft.signal() }
            )
            responder.stream(numbers, within: responder.call.method == "t.ShortStream" ? 1 : nil)
        case "t.Listen":
            let numbers = Numbers(
                available: 0, isEndless: true, padding: 0, onEnd: { [listenerLeft] in listenerLeft.signal() })
            responder.stream(numbers)
            listenerCame.signal()
            listeners.append { [weak numbers] in
                numbers?.available += 1
                responder.resume()
            }
        case let method:
            if method == "t.Fail" { isFailing = true }
            if method == "t.Hold" {
                responder.attachment = Goodbye { [listenerLeft] in listenerLeft.signal() }
            }
            counted += 1
            let padding =
                ["t.Short": 50 << 10, "t.Long": 300 << 10, "t.BackgroundChange": 300 << 10][method] ?? 0
            if method == "t.Short" { shortCount += 1 }
            let reply = MethodReply.bytes { fields in
                fields.name("number")
                fields.value(counted)
                fields.name("padding")
                fields.value(String(repeating: "x", count: padding))
            }
            if method == "t.BackgroundChange" {
                responder.reply(ofChange: reply)
            } else {
                responder.reply(reply)
            }
        }
    }
}

/// Replies with the numbers from 1 on.
private final class Numbers: ReplySource {
    var available: Int
    private var sent = 0
    private let isEndless: Bool
    private let padding: String
    private let onNext: () -> Void
    private let onTimeout: () -> Void
    private let onEnd: () -> Void

    init(
        available: Int, isEndless: Bool, padding: Int, onNext: @escaping () -> Void = {},
        onTimeout: @escaping () -> Void = {}, onEnd: @escaping () -> Void = {}
    ) {
        self.available = available
        self.isEndless = isEndless
        self.padding = String(repeating: "x", count: padding)
        self.onNext = onNext
        self.onTimeout = onTimeout
        self.onEnd = onEnd
    }

    deinit { onEnd() }

    func next() -> ReplyStep {
        guard sent < available else { return .later }
        sent += 1
        onNext()
        let isLast = !isEndless && sent == available
        let message = MethodReply.bytes(continues: !isLast) { fields in
            fields.name("number")
            fields.value(Int64(sent))
            fields.name("padding")
            fields.value(padding)
        }
        return isLast ? .last(message) : .reply(message)
    }

    func timeout() -> [UInt8] {
        onTimeout()
        return MethodReply.bytes(error: "t.TooSlow") { _ in }
    }
}

/// Calls a closure when it is released.
final class Goodbye {
    private let say: () -> Void

    init(say: @escaping () -> Void) { self.say = say }

    deinit { say() }
}

private struct QueueBound: @unchecked Sendable {
    let value: Server?
    init(_ value: Server?) { self.value = value }
}
