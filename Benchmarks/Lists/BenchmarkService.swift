import Alerts
import CivilTime
import Dispatch
import ObjectStore
import Reminders
import Synchronization
import TodoAPI
import TodoService
import Varlink
import VarlinkServer

/// The methods of the daemon over a store, in this process and without a socket.
final class BenchmarkService {
    let queue = DispatchQueue(label: "benchmark.service")
    private let clock: BenchmarkClock
    private let coordinator: PersistentStoreCoordinator
    private let host = Host()
    private let service: TodoService

    /// Opens a store as the daemon does.
    init(path: String, clock: BenchmarkClock) throws {
        self.clock = clock
        let (queue, host) = (queue, host)
        let configuration = StoreConfiguration.sqlite(path: path, history: true)
        let opened = PersistentStoreCoordinator(model: try ReminderModel.current())
        coordinator = opened
        service = try queue.sync {
            try opened.addStore(configuration)
            return try TodoService(
                TodoService.Dependencies(
                    queue: queue, schedule: .minutes, makeSink: { _ in InstantSink() },
                    log: Log(to: { _ in true }), zone: LocalZone(.utc), now: { clock.now }),
                coordinator: opened, store: configuration, settings: ServiceSettings(), host: host)
        }
    }

    func close() {
        service.waitForWork()
        queue.sync { coordinator.close() }
    }

    /// Calls a method, and returns the number of bytes of its replies.
    ///
    /// The call is complete when its changes are on disk and its last reply is encoded.
    @discardableResult
    func call<M: TodoAPI.Method>(
        _ method: M.Type, _ parameters: M.Parameters, wantsMore: Bool = false
    ) throws -> Int {
        let replies = Replies()
        let bytes = MethodCall.bytes(M.qualifiedName, wantsMore: wantsMore) {
            FieldWriter.write(parameters, to: &$0)
        }
        let call = try MethodCall(message: bytes)
        queue.sync {
            let failure = service.carryOut { service.handle(Responder(to: replies, call: call)) {} }
            precondition(failure == nil)
        }
        replies.wait()
        return replies.bytes
    }

    /// Checks for due items, and returns when their alerts are recorded.
    func check() {
        queue.sync { service.evaluate() }
        // The record is made in a block of its own.
        queue.sync {}
    }
}

/// A clock that only the benchmark moves.
final class BenchmarkClock: Sendable {
    /// Friday 2026-11-20 17:00 UTC.
    static let start = Timestamp(secondsSince1970: 1_795_194_000)

    private let time = Mutex(start)

    var now: Timestamp { time.withLock { $0 } }

    func set(_ moment: Timestamp) { time.withLock { $0 = moment } }
}

/// Reports each alert as delivered immediately.
private struct InstantSink: AlertSink {
    func send(_ batch: AlertBatch, delivered: @escaping @Sendable ([Alert]) -> Void) {
        delivered(batch.alerts)
    }
}

private final class Host: ServiceHost {
    let status = Status.Reply()
    let configuration = GetConfig.Reply()
    func checkConfiguration() -> CheckConfig.Reply { CheckConfig.Reply() }
    func takeWarnings() -> [String] { [] }
}

/// Discards the replies to one call. Only their sizes are kept.
private final class Replies: ReplyDestination {
    private let end = DispatchSemaphore(value: 0)
    private var source: (any ReplySource)?
    private(set) var bytes = 0
    var attachment: AnyObject?

    var room: Int { .max }

    func wait() { end.wait() }

    func beginTurn() {}
    func endTurn(failure: [UInt8]?) {}

    func reply(_ message: [UInt8], continues: Bool, isRefusable: Bool) {
        bytes += message.count
        if !continues { end.signal() }
    }

    func stream(_ source: any ReplySource, until end: DispatchTime?) {
        self.source = source
        resume()
    }

    func resume() {
        while let source {
            switch source.next() {
            case .reply(let message): bytes += message.count
            case .last(let message):
                self.source = nil
                reply(message, continues: false, isRefusable: false)
            case .later: return
            }
        }
    }
}
