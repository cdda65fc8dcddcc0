internal import Dispatch
internal import TodoAPI
internal import Varlink
internal import VarlinkServer

/// The destination for the replies to one call.
///
/// `@unchecked Sendable`: other queues hold it, but use it only through `queue`.
struct CallAnswer<M: Method>: @unchecked Sendable {
    private let responder: Responder
    private let queue: DispatchQueue

    init(to responder: Responder, on queue: DispatchQueue) {
        self.responder = responder
        self.queue = queue
    }

    /// Whether the caller accepts several replies.
    var wantsMore: Bool { responder.call.wantsMore }

    /// Replies on the queue of the server.
    func reply(_ reply: M.Reply, continues: Bool = false) {
        responder.reply(continues: continues) { FieldWriter.write(reply, to: &$0) }
    }

    /// Replies with an error on the queue of the server.
    func fail(_ error: any Error) {
        let error = Self.apiError(error)
        responder.fail(error.name) { FieldWriter.write(error.body, to: &$0) }
    }

    /// Runs `body` on `blocking`, and replies with its result.
    func reply(
        from blocking: DispatchQueue, _ body: @escaping @Sendable () throws -> M.Reply,
        then end: @escaping @Sendable (M.Reply) -> Void = { _ in }
    ) {
        blocking.async {
            let result = Result { try body() }
            queue.async {
                switch result {
                case .success(let reply):
                    self.reply(reply)
                    end(reply)
                case .failure(let error): fail(error)
                }
            }
        }
    }

    private static func apiError(_ error: any Error) -> APIError {
        switch error {
        case let error as APIError: error
        case let error as FieldError: .invalidParameter(field: error.field, reason: error.reason)
        default: .serverProblem(reason: "\(error)")
        }
    }
}
