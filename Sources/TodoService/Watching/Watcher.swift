internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI
internal import VarlinkServer

/// A client that watches changes and alerts.
///
/// Changes are read from the feed, and items from the store, when they are sent. So it makes no difference whether a
/// change was saved just now or before the client connected, and a slow client costs little. Alerts that it has not read
/// yet are kept as item IDs. A client with too many of them is disconnected.
final class Watcher: ReplySource {
    private struct PendingAlert {
        let kind: Alert.Kind
        let moment: Timestamp
        /// The number of the last transaction before the alert.
        let number: Int64
        var ids: ArraySlice<Int64>
    }

    private let answer: Answer<Watch>
    private let service: ServiceContext
    private let hub: WatchHub
    private var isReady = false
    private var position: WatchPosition
    private var alerts: [PendingAlert] = []
    private var alertCount = 0
    private var isTooSlow = false

    init(_ answer: Answer<Watch>, _ service: ServiceContext, _ hub: WatchHub, from position: WatchPosition) {
        self.answer = answer
        self.service = service
        self.hub = hub
        self.position = position
    }

    /// Continues to send, because there are new changes.
    func resume() { answer.resume() }

    /// Reports alerts that were sent.
    ///
    /// - Parameter number: the number of the last transaction before them.
    func notify(_ kind: Alert.Kind, of ids: [Int64], after number: Int64) {
        guard !isTooSlow else { return }
        alerts.append(PendingAlert(kind: kind, moment: service.times.now(), number: number, ids: ids[...]))
        alertCount += ids.count + 1
        if alertCount > Watch.pendingLimit {
            isTooSlow = true
            alerts = []
        }
        answer.resume()
    }

    // MARK: - Sending

    func next() -> ReplyStep {
        if isTooSlow { return .last(timeout()) }
        do {
            guard let reply = try nextReply() else { return .later }
            return .reply(answer.message(reply, continues: true))
        } catch let error as StoreError where error.code == .historyLost {
            return .last(timeout())
        } catch {
            return .last(answer.message(for: error))
        }
    }

    private func nextReply() throws -> Watch.Reply? {
        guard isReady else {
            isReady = true
            return Watch.Reply(.ready, at: service.times.now(), token: token)
        }
        while position.event == nil {
            if let alert = alerts.first, alert.number <= position.token.number {
                return try reply(to: alert)
            }
            guard let window = try hub.changes(after: position.token, through: alerts.first?.number) else {
                return try alerts.first.map(reply)
            }
            position.begin(window)
        }
        return try replyToChange()
    }

    private func replyToChange() throws -> Watch.Reply? {
        guard let (event, ids) = position.event else { return nil }
        let moment = position.moment ?? service.times.now()
        let (sent, items) = try chunk(of: ids)
        position.advance(by: max(1, sent.count))
        return Watch.Reply(event, at: moment, ids: Array(sent), items: items, token: token)
    }

    private func reply(to alert: PendingAlert) throws -> Watch.Reply {
        let (ids, items) = try chunk(of: alert.ids)
        alerts[0].ids.removeFirst(ids.count)
        alertCount -= ids.count
        if alerts[0].ids.isEmpty {
            alerts.removeFirst()
            alertCount -= 1
        }
        return Watch.Reply(
            .alert, at: alert.moment, ids: Array(ids), items: items, alert: alert.kind.rawValue, token: token)
    }

    private var token: String? { hub.feed.isPersistent ? position.text : nil }

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

    func timeout() -> [UInt8] { answer.message(for: APIError.watcherTooSlow) }
}
