internal import Dispatch
internal import ObjectStore
internal import TodoAPI

/// Makes changes that may take long on a queue of its own, one after the other, while the daemon's queue goes on.
///
/// Meanwhile calls that read are answered and alerts are told; who wants to change something waits. It belongs to the
/// daemon's queue.
final class LongChanges {
    /// A change of more items than this is a long one.
    static let itemsInTurn = 500

    private let workspace: Workspace
    private let queue = DispatchQueue(label: "todod.changing")
    private let underWay = DispatchGroup()

    init(_ workspace: Workspace) { self.workspace = workspace }

    /// Answers a call with what `work` gives on the other queue. When the client leaves before that is saved, nothing of
    /// it is.
    ///
    /// - Parameter kept: lives as long as the call.
    func begin<M: Method>(
        _ answer: Answer<M>, keeping kept: AnyObject? = nil,
        _ work: @escaping @Sendable (LongChange<M>) throws -> M.Reply
    ) {
        let call = LongCall(answer, keeping: kept)
        let change = LongChange(call, in: workspace)
        queue.async(group: underWay) {
            change.end(Result { try work(change) })
        }
        answer.stream(call)
    }

    /// Answers a call that changes so many items: at once when they are few.
    func change<M: Method>(
        items count: Int, _ answer: Answer<M>, _ body: @escaping @Sendable (Workspace) throws -> M.Reply
    ) throws {
        guard count <= Self.itemsInTurn else { return begin(answer) { try $0.change(body) } }
        workspace.replyRoom = answer.room
        defer { workspace.replyRoom = nil }
        answer.reply(ofChange: try body(workspace))
        workspace.itemsDidChange()
    }

    /// Waits until nothing is under way. Call it from outside of the queue, when the clients are gone.
    func wait() { underWay.wait() }
}
