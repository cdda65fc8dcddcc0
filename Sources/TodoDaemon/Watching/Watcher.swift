internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// One client that is told what happens.
///
/// What it has not taken yet is kept as numbers of items only, and items are read when they are sent: so a slow client
/// costs little, and one that is much too slow is dropped.
final class Watcher: ReplySource {
    private struct Happening {
        let event: Watch.Event
        let moment: Timestamp
        var ids: ArraySlice<Int64>
        let alert: String?
    }

    private let answer: Answer<Watch>
    private let workspace: Workspace
    private var pending: [Happening]
    private var pendingCount = 0
    private var isTooSlow = false

    init(_ answer: Answer<Watch>, _ workspace: Workspace) {
        self.answer = answer
        self.workspace = workspace
        pending = [Happening(event: .ready, moment: workspace.now(), ids: [], alert: nil)]
    }

    func tell(_ event: Watch.Event, _ ids: [Int64], alert: String? = nil) {
        guard !isTooSlow else { return }
        pending.append(Happening(event: event, moment: workspace.now(), ids: ids[...], alert: alert))
        pendingCount += ids.count + 1
        if pendingCount > Watch.pendingLimit {
            isTooSlow = true
            pending = []
        }
        answer.resume()
    }

    // MARK: - Sending

    func next() -> ReplyStep {
        if isTooSlow { return .last(timeout()) }
        guard var happening = pending.first else { return .later }
        let ids = happening.ids.prefix(Watch.itemsPerReply)
        happening.ids = happening.ids.dropFirst(ids.count)
        pendingCount -= ids.count
        if happening.ids.isEmpty {
            pending.removeFirst()
            pendingCount -= 1
        } else {
            pending[0] = happening
        }
        do {
            let reply = Watch.Reply(
                happening.event, at: happening.moment, ids: Array(ids), items: try items(ids),
                alert: happening.alert)
            return .reply(answer.message(reply, continues: true))
        } catch {
            return .last(answer.message(for: error))
        }
    }

    private func items(_ ids: ArraySlice<Int64>) throws -> [Item] {
        try ids.compactMap { try workspace.context.object(of: ToDo.self, id: $0).map(Item.init) }
    }

    func timeout() -> [UInt8] {
        answer.message(
            for: APIError.tooSlow(
                reason:
                    "more than \(Watch.pendingLimit) changes were not taken; list the items and watch again"))
    }
}
