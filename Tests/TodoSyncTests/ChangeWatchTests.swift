import CivilTime
import Dispatch
import Foundation
import Platform
import TestBus
import TestProcesses
import Testing
import TodoAPI
import Varlink
import VarlinkServer

@testable import TodoSync

@Suite final class ChangeWatchTests {
    private let directory = "\(TestRun.directoryPrefix)watch-\(UUID().uuidString.prefix(8))"
    private var path: String { "\(directory)/socket" }
    private let queue = DispatchQueue(label: "test.todod")

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// The replies to a call of `Watch`, by its token.
    private func serve(
        _ replies: @escaping (_ since: String?) -> [Result<Watch.Reply, APIError>]
    ) throws -> Server {
        guard let address = UnixAddress(path: path) else { throw CocoaError(.fileNoSuchFile) }
        try FileSystem.makeDirectory(of: path)
        let server = Server(
            listener: try UnixListener(at: address), queue: queue, brokenMessageError: "test.Broken"
        ) { responder in
            let since = responder.call.parameters["since"].flatMap {
                if case .string(let text) = $0 { text } else { nil }
            }
            for reply in replies(since) {
                switch reply {
                case .success(let reply):
                    responder.reply(continues: true) { FieldWriter.write(reply, to: &$0) }
                case .failure(let error):
                    responder.fail(error.name) { FieldWriter.write(error.body, to: &$0) }
                }
            }
        }
        try queue.sync { try server.start() }
        return server
    }

    private func reply(_ event: Watch.Event, token: String) -> Result<Watch.Reply, APIError> {
        .success(Watch.Reply(event, at: Timestamp(secondsSince1970: 0), token: token))
    }

    @Test func watchReportsChangesButNotAlerts() throws {
        let server = try serve { [self] _ in
            [reply(.ready, token: "1"), reply(.alert, token: "2"), reply(.changed, token: "3")]
        }
        defer { queue.sync { server.stop() } }
        let events = Mailbox<String>()
        ChangeWatch(socketPath: path) { events.put("\($0)") }.start()
        #expect(try events.next() == "connected")
        #expect(try events.next() == "changed")
    }

    @Test func watchWaitsForTododAndContinuesAfterItsToken() throws {
        let events = Mailbox<String>()
        let tokens = Mailbox<String>()
        ChangeWatch(socketPath: path) { events.put("\($0)") }.start()
        #expect(try events.next().hasPrefix("disconnected"))
        let serve = { [self] () throws -> Server in
            try self.serve { [self] since in
                tokens.put(since ?? "none")
                return [reply(.ready, token: "7")]
            }
        }
        let first = try serve()
        #expect(try events.next(where: { $0 == "connected" }) == "connected")
        queue.sync { first.stop() }
        #expect(try events.next().hasPrefix("disconnected"))
        let second = try serve()
        defer { queue.sync { second.stop() } }
        #expect(try events.next(where: { $0 == "connected" }) == "connected")
        #expect(tokens.all == ["none", "7"])
    }

    @Test func oldTokenIsDropped() throws {
        let tokens = Mailbox<String>()
        var isFirst = true
        let server = try serve { [self] since in
            tokens.put(since ?? "none")
            defer { isFirst = false }
            if isFirst { return [reply(.ready, token: "7"), .failure(.tooSlow(reason: ""))] }
            return since == nil ? [reply(.ready, token: "9")] : [.failure(.tokenTooOld(reason: ""))]
        }
        defer { queue.sync { server.stop() } }
        let events = Mailbox<String>()
        ChangeWatch(socketPath: path) { events.put("\($0)") }.start()
        #expect(try events.next() == "connected")
        #expect(try events.next() == "connected")
        #expect(tokens.all == ["none", "none"])
    }
}
