internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ResolveSyncConflictHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: ResolveSyncConflict.Parameters, _ answer: Answer<ResolveSyncConflict>) throws {
        let context = service.store.context
        guard let entry = try context.object(of: SyncEntry.self, id: parameters.id), entry.conflictDate != nil
        else { throw APIError.syncConflictNotFound(id: parameters.id) }
        guard parameters.restore else {
            try service.changes.saving { Self.forget(entry) }
            return answer.reply(.init())
        }
        guard let lost = entry.lostText, let toDo = entry.toDo else {
            throw APIError.invalidValue(
                field: "id", reason: "the change that lost is a deletion; to delete the item, delete it here")
        }
        let items = SyncItems(service)
        let item = try service.changes.change(ResolveSyncConflict.name) {
            defer { items.end() }
            let restored: ExchangeItem
            do throws(SyncTask.Failure) {
                restored = try items.format.item(
                    items.item(toDo, entry), with: String(decoding: lost, as: UTF8.self))
            } catch {
                throw APIError.invalidValue(field: "id", reason: error.description)
            }
            _ = try items.write(restored, to: toDo, entry, category: toDo.category)
            Self.forget(entry)
            return toDo
        }
        answer.reply(ofChange: .init(item: Item(item, service.times.zone)))
        service.events.itemsDidChange()
    }

    private static func forget(_ entry: SyncEntry) {
        entry.conflictDate = nil
        entry.lostText = nil
    }
}
