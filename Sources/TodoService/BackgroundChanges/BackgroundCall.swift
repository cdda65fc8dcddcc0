internal import TodoAPI
internal import VarlinkServer

/// A call with a reply that takes long. The replies wait here until the client reads them.
///
/// It is released when the client disconnects, which ends the work for it.
final class BackgroundCall<M: Method>: ReplySource {
    let answer: Answer<M>
    let cancellation = Cancellation()
    private let kept: AnyObject?
    private var replies: [ReplyStep] = []

    init(_ answer: Answer<M>, keeping kept: AnyObject?) {
        self.answer = answer
        self.kept = kept
    }

    deinit { cancellation.cancel() }

    /// Sends a reply to the client, as the last one or with more to follow.
    func send(_ reply: ReplyStep) {
        replies.append(reply)
        answer.resume()
    }

    func next() -> ReplyStep {
        replies.isEmpty ? .later : replies.removeFirst()
    }

    func timeout() -> [UInt8] {
        answer.message(for: APIError.tooSlow(reason: "the client did not read the reply in time"))
    }
}
