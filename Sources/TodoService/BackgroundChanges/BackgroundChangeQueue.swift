internal import Dispatch
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// Makes changes that may take long on a queue of its own, one after the other. The daemon's queue is free for other
/// work.
///
/// During such a change, calls that only read are answered, and alerts are sent. Other changes wait. Confined to the
/// daemon's queue.
final class BackgroundChangeQueue {
    /// The largest number of items that a call changes at once, on the daemon's queue.
    static let itemsInTurn = 500

    private let service: ServiceContext
    private let alertTimes: AlertTimes
    private let queue = DispatchQueue(label: "todod.changing")
    private let running = DispatchGroup()

    /// Creates a queue for the changes of a service.
    init(_ service: ServiceContext, _ alertTimes: AlertTimes) {
        self.service = service
        self.alertTimes = alertTimes
    }

    /// Replies to a call with the result of `work`, which runs on the other queue.
    ///
    /// If the client disconnects before the change is saved, nothing is saved.
    ///
    /// - Parameter kept: an object that lives as long as the call.
    func begin<M: Method>(
        _ answer: Answer<M>, keeping kept: AnyObject? = nil,
        _ work: @escaping @Sendable (BackgroundChange<M>) throws -> M.Reply
    ) {
        dispatchPrecondition(condition: .onQueue(service.queue))
        let call = BackgroundCall(answer, keeping: kept)
        let change = BackgroundChange(call, in: service, alertTimes)
        queue.async(group: running) {
            change.end(Result { try work(change) })
        }
        answer.stream(call)
    }

    /// Replies to a call that changes so many items. If they are few, the change is made at once.
    func change<M: Method>(
        items count: Int, _ answer: Answer<M>, _ body: @escaping @Sendable (ServiceContext) throws -> M.Reply
    ) throws {
        dispatchPrecondition(condition: .onQueue(service.queue))
        guard count <= Self.itemsInTurn else { return begin(answer) { try $0.change(body) } }
        service.store.replyRoom = answer.room
        defer { service.store.replyRoom = nil }
        answer.reply(ofChange: try body(service))
        service.events.itemsDidChange()
    }

    /// Waits until no change runs. Must be called outside the daemon's queue, after the clients have disconnected.
    func wait() {
        dispatchPrecondition(condition: .notOnQueue(service.queue))
        running.wait()
    }
}
