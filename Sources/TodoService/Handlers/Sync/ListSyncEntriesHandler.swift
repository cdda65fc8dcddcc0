internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ListSyncEntriesHandler: Handler {
    private static let entriesLimit = 1_000

    let service: ServiceContext

    func handle(_ parameters: ListSyncEntries.Parameters, _ answer: Answer<ListSyncEntries>) throws {
        let context = service.store.context
        let list = try SyncStore(context: context).list(parameters.list)
        let after = parameters.after ?? ""
        let request = SyncEntry.where { $0.list == list && $0.href > after }
        let entries = try context.fetch(request.ordered(by: \.href).limit(Self.entriesLimit + 1))
        var reply = ListSyncEntries.Reply()
        reply.hasMore = entries.count > Self.entriesLimit
        reply.entries = entries.prefix(Self.entriesLimit).map { entry in
            // The text of a task that was missing has to be read again.
            SyncEntrySummary(url: entry.href, etag: entry.isMissing ? nil : entry.etag)
        }
        answer.reply(reply)
    }
}
