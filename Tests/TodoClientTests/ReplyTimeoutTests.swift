import CivilTime
import Foundation
import Testing
import TodoAPI
import Varlink

@testable import TodoClient

/// The wait for a daemon that does not reply.
@Suite struct ReplyTimeoutTests {
    /// A socket with connections that the test accepts and answers.
    private final class Listener: @unchecked Sendable {
        let path = "/tmp/todoctl-\(UUID().uuidString.prefix(8))"
        private let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)

        init() throws {
            let address = try #require(UnixAddress(path: path))
            let socket = descriptor
            #expect(address.withSocketAddress { bind(socket, $0, $1) } == 0)
            #expect(listen(descriptor, 16) == 0)
        }

        deinit {
            close(descriptor)
            unlink(path)
        }

        func accept() -> Int32 { Glibc.accept(descriptor, nil, nil) }

        static func reply(_ text: String, to peer: Int32) {
            let bytes = Array(text.utf8) + [0]
            #expect(send(peer, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
        }
    }

    private func daemon(at listener: Listener, _ limits: ReplyTimeout.Limits) throws -> Daemon {
        let words = TimeInWords(now: Timestamp(secondsSince1970: 0), zone: .utc)
        return try Daemon(socketPath: listener.path, words: words, limits: limits)
    }

    /// R8: The wait for a daemon that does not reply to any call ends with the advice to check it.
    @Test func waitForSilentDaemonEnds() throws {
        let listener = try Listener()
        let limits = ReplyTimeout.Limits(question: .milliseconds(20), silence: .milliseconds(300))
        let daemon = try daemon(at: listener, limits)
        let error = try #require(throws: ClientError.self) { try daemon.call(Status.self, .init()) }
        #expect(error.exitStatus == 3)
        #expect(error.message.hasPrefix("todoctl: todod has not answered for 0 s; it is stopped, hangs or"))
        #expect(!error.message.contains("may still make the change"))
        #expect(error.message.hasSuffix("systemctl --user restart todod.service"))
    }

    /// R8: An attempt to send more than the socket of a stopped daemon accepts ends, too.
    @Test func sendToSilentDaemonEnds() throws {
        let listener = try Listener()
        let limits = ReplyTimeout.Limits(question: .milliseconds(20), silence: .milliseconds(300))
        let daemon = try daemon(at: listener, limits)
        var parameters = AddItem.Parameters()
        parameters.name = String(repeating: "x", count: 4 << 20)
        let error = try #require(throws: ClientError.self) { try daemon.call(AddItem.self, parameters) }
        #expect(error.message.contains("It may still make the change later"))
    }

    /// R8: The client waits for a daemon that is busy with one call and answers others.
    @Test func clientWaitsForBusyDaemon() async throws {
        let listener = try Listener()
        let limits = ReplyTimeout.Limits(question: .zero, silence: .seconds(300))
        let service = Thread {
            let peer = listener.accept()
            for _ in 0..<3 {
                let question = listener.accept()
                Listener.reply(#"{"parameters":{}}"#, to: question)
                close(question)
            }
            Listener.reply(#"{"parameters":{}}"#, to: peer)
            close(peer)
        }
        service.start()
        let daemon = try daemon(at: listener, limits)
        var count = 0
        try daemon.stream("dev.todod.Todo.Evaluate", JSONObject(), wantsMore: false) { _ in count += 1 }
        #expect(count == 1)
    }

    /// The client itself can take long between two replies, for example while a pager shows the first one.
    @Test func timeUsedByTheClientIsNotCounted() throws {
        let listener = try Listener()
        let limits = ReplyTimeout.Limits()
        let address = try #require(UnixAddress(path: listener.path))
        var now = SuspendingClock.now
        let timeout = ReplyTimeout(limits, at: address, notice: nil) { now }
        now += limits.silence * 2
        try timeout.checkForSign()
        let question = listener.accept()
        Listener.reply(#"{"parameters":{}}"#, to: question)
        now += limits.silence
        try timeout.checkForSign()
        close(question)
    }
}
