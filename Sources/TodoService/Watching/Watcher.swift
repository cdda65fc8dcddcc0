internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// A client that watches changes and alerts.
///
/// Events that it has not read yet are kept as item IDs only, and the items are read when they are sent. So a slow
/// client costs little. A client that is much too slow is disconnected.
final class Watcher: ReplySource {
    private struct Happening {
        let event: Watch.Event
        let moment: Timestamp
        var ids: ArraySlice<Int64>
        let alert: String?
    }

    private let answer: Answer<Watch>
    private let service: ServiceContext
    private var pending: [Happening]
    private var pendingCount = 0
    private var isTooSlow = false
    /// The names of the tags that the client knows.
    ///
    /// A tag counts as saved, too, when an item gets or loses it. This is only a change of the item.
    private var tagNames: [Int64: String]

    init(_ answer: Answer<Watch>, _ service: ServiceContext) throws {
        self.answer = answer
        self.service = service
        tagNames = try service.store.tagNames()
        pending = [Happening(event: .ready, moment: service.times.now(), ids: [], alert: nil)]
    }

    func notify(_ event: Watch.Event, _ ids: [Int64], alert: String? = nil) {
        guard !isTooSlow else { return }
        pending.append(Happening(event: event, moment: service.times.now(), ids: ids[...], alert: alert))
        pendingCount += Self.count(of: event, ids)
        if pendingCount > Watch.pendingLimit {
            isTooSlow = true
            pending = []
        }
        answer.resume()
    }

    /// Returns how much an event counts for the limit. A change of an item names its tags, too, so tags count once.
    private static func count(of event: Watch.Event, _ ids: some Collection<Int64>) -> Int {
        event == .tags ? 1 : ids.count + 1
    }

    // MARK: - Sending

    func next() -> ReplyStep {
        if isTooSlow { return .last(timeout()) }
        do {
            while let first = pending.first, first.event == .tags {
                pending.removeFirst()
                pendingCount -= Self.count(of: first.event, first.ids)
                guard try takeTags(first.ids) else { continue }
                let reply = Watch.Reply(.tags, at: first.moment)
                return .reply(answer.message(reply, continues: true))
            }
            guard let happening = pending.first else { return .later }
            let (ids, items) = try chunk(of: happening.ids)
            removeFirst(ids.count)
            let reply = Watch.Reply(
                happening.event, at: happening.moment, ids: Array(ids), items: items, alert: happening.alert)
            return .reply(answer.message(reply, continues: true))
        } catch {
            return .last(answer.message(for: error))
        }
    }

    /// Reads the names of tags, and returns whether any has changed.
    private func takeTags(_ ids: ArraySlice<Int64>) throws -> Bool {
        let names = try service.store.tagNames(of: ids)
        var isChanged = false
        for id in ids where tagNames[id] != names[id] {
            tagNames[id] = names[id]
            isChanged = true
        }
        return isChanged
    }

    /// Returns as many IDs as a reply can hold, and the items that exist.
    private func chunk(of ids: ArraySlice<Int64>) throws -> (ids: ArraySlice<Int64>, items: [Item]) {
        var items: [Item] = []
        var bytes = 0
        for (count, id) in ids.enumerated() {
            if count == Watch.itemsPerReply || bytes > ItemList.chunkBytes {
                return (ids.prefix(count), items)
            }
            guard let toDo = try service.store.context.object(of: ToDo.self, id: id) else { continue }
            let item = Item(toDo, service.times.zone)
            items.append(item)
            bytes += toDo.textBytes
        }
        return (ids, items)
    }

    /// Removes the first IDs of the first event, and the event itself if none is left.
    private func removeFirst(_ count: Int) {
        pending[0].ids.removeFirst(count)
        pendingCount -= count
        guard pending[0].ids.isEmpty else { return }
        pending.removeFirst()
        pendingCount -= 1
    }

    func timeout() -> [UInt8] {
        answer.message(
            for: APIError.tooSlow(
                reason:
                    "more than \(Watch.pendingLimit) changes were not read; list the items and watch again"))
    }
}
