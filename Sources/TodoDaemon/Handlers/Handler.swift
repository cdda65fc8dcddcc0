internal import CivilTime
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// Carries out one method of the interface.
protocol Handler {
    associatedtype M: Method

    /// Answers a call; what it throws is answered as an error.
    ///
    /// Calls that come together share one COMMIT. Answers wait for it, so a handler answers as soon as it has saved.
    func handle(_ parameters: M.Parameters, _ answer: Answer<M>) throws
}

/// Where the replies to one call go.
struct Answer<M: Method> {
    private let responder: Responder
    private let zone: TimeZoneRules
    /// What the client is told of an error.
    private let errorMessage: (any Error) -> [UInt8]

    init(to responder: Responder, zone: TimeZoneRules, errorMessage: @escaping (any Error) -> [UInt8]) {
        self.responder = responder
        self.zone = zone
        self.errorMessage = errorMessage
    }

    /// Whether the caller takes several replies.
    var wantsMore: Bool { responder.call.wantsMore }

    /// Whether the caller has left.
    var isAbandoned: Bool { responder.isAbandoned }

    func reply(_ reply: M.Reply) {
        responder.reply(Self.message(reply, zone))
    }

    /// Answers with an error that comes up after `handle` has returned.
    func fail(_ error: any Error) {
        responder.reply(errorMessage(error))
    }

    // MARK: - Many replies

    /// What a stream of replies has to send now.
    enum Step {
        case reply(M.Reply)
        case last(M.Reply)
        /// Nothing yet; `resume` says when.
        case later
    }

    /// Sends the replies that `next` makes, as fast as the client takes them.
    ///
    /// `next` is called when there is room for a reply and what was saved before this call is on disk; what it throws
    /// is the last reply. A client that has not taken all of them after `seconds` gets `TooSlow`.
    func stream(within seconds: Int? = nil, _ next: @escaping () throws -> Step) {
        let source = Source(next, zone: zone, limit: seconds ?? 0, errorMessage: errorMessage)
        responder.stream(source, within: seconds)
    }

    /// Has `next` asked again after it had nothing.
    func resume() { responder.resume() }

    private static func message(_ reply: M.Reply, _ zone: TimeZoneRules, continues: Bool = false) -> [UInt8] {
        MethodReply.bytes(continues: continues) { FieldWriter.write(reply, to: &$0, zone: zone) }
    }

    private final class Source: ReplySource {
        private let produce: () throws -> Step
        private let zone: TimeZoneRules
        private let limit: Int
        private let errorMessage: (any Error) -> [UInt8]

        init(
            _ produce: @escaping () throws -> Step, zone: TimeZoneRules, limit: Int,
            errorMessage: @escaping (any Error) -> [UInt8]
        ) {
            self.produce = produce
            self.zone = zone
            self.limit = limit
            self.errorMessage = errorMessage
        }

        func next() -> ReplyStep {
            do {
                switch try produce() {
                case .reply(let reply): return .reply(Answer.message(reply, zone, continues: true))
                case .last(let reply): return .last(Answer.message(reply, zone))
                case .later: return .later
                }
            } catch {
                return .last(errorMessage(error))
            }
        }

        func timeout() -> [UInt8] {
            errorMessage(APIError.tooSlow(reason: "the replies were not taken within \(limit) s"))
        }
    }
}
