internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The status of the daemon, in one chunk. Counting very many items takes time.
final class StatusChunks: ReplyChunkSource {
    private var status: Status.Reply
    private let items: RowStream
    private let openItems: RowStream
    private let categories: RowStream
    private let zone: TimeZoneRules

    /// Begins to count items and categories.
    ///
    /// - Parameter status: the status without the numbers of items and categories.
    init(_ status: Status.Reply, _ service: ServiceContext) throws {
        self.status = status
        zone = service.times.zone
        let context = service.store.context
        items = try context.stream(FetchRequest<ToDo>(), of: [.count])
        openItems = try context.stream(
            FetchRequest<ToDo>(matching: try FetchPredicate("completed == NO")), of: [.count], beside: items)
        categories = try context.stream(FetchRequest<Category>(), of: [.count], beside: items)
    }

    func interrupt() { items.interrupt() }

    func next() -> Result<ReplyChunk, any Error> {
        Result {
            status.items = try count(items)
            status.openItems = try count(openItems)
            status.categories = try count(categories)
            return ReplyChunk(message: Answer<Status>.message(status, zone: zone), isLast: true)
        }
    }

    private func count(_ rows: RowStream) throws -> Int64 {
        if case .integer(let count)? = try rows.next()?[0] { count } else { 0 }
    }
}
