import CivilTime
import Dispatch
import Foundation
import ObjectStore
import Reminders
import Synchronization
import TestBus
import Testing
import TodoAPI
import Varlink
import VarlinkServer

@testable import Alerts
@testable import TodoService

/// The methods of a daemon over a store, without a process and without sockets.
final class TestService {
    let queue = DispatchQueue(label: "test.service")
    let clock: ManualClock
    let sink = ManualSink()
    let buttons = Buttons()
    let service: TodoService

    /// Keeps the action that a real sink performs when the user chooses it.
    final class Buttons: Sendable {
        let perform = Mutex<AlertAction.Perform?>(nil)
    }

    private final class Host: ServiceHost {
        var status: Status.Reply {
            var status = Status.Reply()
            status.processID = 7
            return status
        }
        var configuration: GetConfig.Reply { GetConfig.Reply() }
        func checkConfiguration() -> CheckConfig.Reply { CheckConfig.Reply() }
        func takeWarnings() -> [String] { ["line 3 is wrong"] }
    }

    /// Collects the replies to one call.
    private final class Replies: ReplyDestination {
        let last = Mailbox<[UInt8]>()
        var attachment: AnyObject?
        private var source: (any ReplySource)?

        var room: Int { .max }
        func beginTurn() {}
        func endTurn(failure: [UInt8]?) {}

        func reply(_ message: [UInt8], continues: Bool, isRefusable: Bool) {
            if !continues { last.put(message) }
        }

        func stream(_ source: any ReplySource, until end: DispatchTime?) {
            self.source = source
            resume()
        }

        func resume() {
            while let source {
                switch source.next() {
                case .reply: continue
                case .last(let message):
                    self.source = nil
                    last.put(message)
                case .later: return
                }
            }
        }
    }

    /// Returns a new directory for a store.
    static func directory() -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "todod-service-\(UUID())").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    static func remove(_ directory: String) { try? FileManager.default.removeItem(atPath: directory) }

    struct ErrorReply: Error {
        let name: String
    }

    init(_ store: StoreConfiguration = .memory, clock: ManualClock = ManualClock()) throws {
        self.clock = clock
        let (sink, buttons, queue) = (sink, buttons, queue)
        service = try queue.sync {
            let coordinator = PersistentStoreCoordinator(model: try ReminderModel.current())
            try coordinator.addStore(store)
            if store.kind == .sqlite { try coordinator.beginHistory() }
            return try TodoService(
                TodoService.Dependencies(
                    queue: queue, schedule: .minutes,
                    makeSink: { perform in
                        buttons.perform.withLock { $0 = perform }
                        return sink
                    }, log: Log(to: { _ in true }), zone: LocalZone(.utc), now: { clock.now }),
                coordinator: coordinator, store: store, settings: ServiceSettings(), host: Host())
        }
    }

    /// Calls a method, and returns its last reply.
    func call<M: TodoAPI.Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
        let replies = Replies()
        try queue.sync {
            let message = MethodCall.bytes(M.qualifiedName) { FieldWriter.write(parameters, to: &$0) }
            let responder = Responder(to: replies, call: try MethodCall(message: message))
            let failure = service.carryOut { service.handle(responder) {} }
            #expect(failure == nil)
        }
        let reply = try MethodReply(message: replies.last.next())
        if let error = reply.error { throw ErrorReply(name: error) }
        return try FieldReader.read(M.Reply.self, from: reply.parameters)
    }
}
