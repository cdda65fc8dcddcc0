internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ListSyncConflictsHandler: Handler {
    /// The number of conflicts in a reply.
    private static let conflictsLimit = 1_000

    let service: ServiceContext

    func handle(_ parameters: Empty, _ answer: Answer<ListSyncConflicts>) throws {
        let request = SyncEntry.where { $0.conflictDate != nil }
            .ordered(by: \.conflictDate, ascending: false).limit(Self.conflictsLimit)
        answer.reply(.init(conflicts: try service.store.context.fetch(request).map(Self.conflict)))
    }

    private static func conflict(_ entry: SyncEntry) -> SyncConflict {
        var conflict = SyncConflict()
        conflict.id = entry.id
        conflict.item = entry.toDo?.id
        conflict.name = entry.toDo?.name ?? entry.uid
        conflict.list = entry.list?.name ?? entry.list?.href ?? ""
        conflict.account = entry.list?.account?.name ?? ""
        conflict.at = entry.conflictDate
        conflict.text = entry.lostText.map { String(decoding: $0, as: UTF8.self) } ?? ""
        conflict.properties = SyncFormat.properties(in: conflict.text)
        return conflict
    }
}
