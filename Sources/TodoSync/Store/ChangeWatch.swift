internal import Dispatch
internal import Platform
internal import TodoAPI
internal import Varlink

/// Follows the changes of todod's items over a connection of its own, and connects again when it ends.
///
/// `@unchecked Sendable`: `run` uses all properties, and runs once, on the queue of the watch.
final class ChangeWatch: @unchecked Sendable {
    enum Event: Sendable {
        /// todod answers. Changes may have been missed before.
        case connected
        /// Items, categories or tags have changed.
        case changed
        /// todod does not answer. The watch tries again.
        case disconnected(reason: String)
    }

    /// The part of a reply that this program uses.
    private struct Signal: MessageBody {
        var event = Watch.Event.ready
        var token: String?

        mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
            try fields.field("event", &event)
            try fields.field("token", &token)
        }
    }

    private static let longestPauseMilliseconds: UInt32 = 60_000

    private let socketPath: String
    private let queue = DispatchQueue(label: "todod-sync.watch")
    private let report: @Sendable (Event) -> Void
    /// The position after the last reply.
    private var token: String?

    /// Creates a watch.
    ///
    /// - Parameter report: called on the queue of the watch.
    init(socketPath: String, report: @escaping @Sendable (Event) -> Void) {
        self.socketPath = socketPath
        self.report = report
    }

    /// Starts to watch. The watch ends with the process.
    func start() {
        queue.async { self.run() }
    }

    private func run() -> Never {
        var pause: UInt32 = 1_000
        while true {
            do {
                try follow { pause = 1_000 }
            } catch is APIError where token != nil {
                // The changes since the token are gone. The next call reports those from now on.
                token = nil
            } catch {
                report(.disconnected(reason: (error as? TodoUnreachable)?.reason ?? "\(error)"))
            }
            SystemClock.pause(milliseconds: pause)
            pause = min(pause * 2, Self.longestPauseMilliseconds)
        }
    }

    /// Connects and reports changes until the connection ends.
    private func follow(_ didConnect: () -> Void) throws {
        let connection = try TodoConnection.open(socketPath)
        let parameters = Watch.Parameters(since: token)
        try connection.send(
            MethodCall.bytes(Watch.qualifiedName, wantsMore: true) { FieldWriter.write(parameters, to: &$0) })
        while true {
            let reply = try connection.nextReply()
            if let name = reply.error { throw APIError(name: name, parameters: reply.parameters) }
            let signal = try FieldReader.read(Signal.self, from: reply.parameters, unknownFields: .ignored)
            token = signal.token ?? token
            switch signal.event {
            case .ready:
                didConnect()
                report(.connected)
            case .alert: break
            case .added, .changed, .deleted, .many, .categories, .tags: report(.changed)
            }
            if !reply.continues { throw TodoUnreachable(reason: "it no longer reports changes") }
        }
    }
}
