internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct DeleteSyncAccountHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: DeleteSyncAccount.Parameters, _ answer: Answer<DeleteSyncAccount>) throws {
        let context = service.store.context
        let store = SyncStore(context: context)
        let account = try store.account(named: parameters.name)
        let list = try parameters.list.map { try store.list(named: $0, of: account) }
        try service.changes.saving {
            if let list { try context.delete(list) } else { try context.delete(account) }
        }
        answer.reply(.init())
    }
}
