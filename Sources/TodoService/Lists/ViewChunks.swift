internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// All saved views, in one chunk.
final class ViewChunks: ReplyChunkSource {
    private let views: RowStream
    private let zone: TimeZoneRules

    init(_ service: ServiceContext) throws {
        zone = service.times.zone
        views = try service.store.context.stream(
            SavedView.all.ordered(by: \.name), of: [.key("id"), .key("name"), .key("query")])
    }

    func interrupt() { views.interruption() }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            var reply = ListViews.Reply()
            while let row = try views.next() {
                guard case .integer(let id) = row[0], case .string(let name) = row[1],
                    case .string(let query) = row[2]
                else { continue }
                reply.views.append(ViewSummary(id: id, name: name, storedQuery: query))
            }
            return ReplyChunk(message: Answer<ListViews>.message(reply, zone: zone), isLast: true)
        }
    }
}
