internal import TodoAPI
internal import VarlinkServer

/// A call whose answer takes long: what is told of it waits here until the client takes it.
///
/// It goes when the client leaves, and what is done for it ends.
final class LongCall<M: Method>: ReplySource {
    let answer: Answer<M>
    let demand = Demand()
    private let kept: AnyObject?
    private var replies: [ReplyStep] = []

    init(_ answer: Answer<M>, keeping kept: AnyObject?) {
        self.answer = answer
        self.kept = kept
    }

    deinit { demand.end() }

    /// Has the client read that, as the last thing or with more to follow.
    func send(_ reply: ReplyStep) {
        replies.append(reply)
        answer.resume()
    }

    func next() -> ReplyStep {
        replies.isEmpty ? .later : replies.removeFirst()
    }

    func timeout() -> [UInt8] {
        answer.message(for: APIError.tooSlow(reason: "the answer was not taken in time"))
    }
}
