internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// All tags with the numbers of their items, in one chunk.
final class TagChunks: ReplyChunkSource {
    private let tags: RowStream
    /// The names of the tags of each open item that has any.
    private let openItems: RowStream
    private let zone: TimeZoneRules

    init(_ service: ServiceContext) throws {
        zone = service.times.zone
        let context = service.store.context
        tags = try context.stream(
            // The tags of an item have this order, too.
            Tag.all.ordered(by: \.name),
            of: [.key("id"), .key("name"), .key("toDos.@count")])
        openItems = try context.stream(
            ToDo.where { !$0.completed && $0.tags.count > 0 }, of: [ItemField.tags.column], beside: tags)
    }

    func interrupt() { tags.interruption() }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            var open: [String: Int64] = [:]
            while let row = try openItems.next() {
                for name in [String](attributeValue: row[0]) ?? [] { open[name, default: 0] += 1 }
            }
            var reply = ListTags.Reply()
            while let row = try tags.next() {
                guard case .integer(let id) = row[0], case .string(let name) = row[1] else { continue }
                reply.tags.append(
                    TagSummary(
                        id: id, name: name, items: row.integer(at: 2) ?? 0, open: open[name] ?? 0))
            }
            return ReplyChunk(message: Answer<ListTags>.message(reply, zone: zone), isLast: true)
        }
    }
}
