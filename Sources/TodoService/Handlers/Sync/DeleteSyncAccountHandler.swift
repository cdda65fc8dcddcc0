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
            for list in try list.map({ [$0] }) ?? account.lists.all() { try readAgain(besides: list) }
            if let list { try context.delete(list) } else { try context.delete(account) }
        }
        answer.reply(.init())
    }

    /// Lets todod-sync read the tasks of other lists again that were skipped because this list has their UIDs.
    private func readAgain(besides list: SyncList) throws {
        let context = service.store.context
        let unread = SyncEntry.where {
            $0.list != list && $0.toDo == nil && $0.state == nil && $0.readText != nil
        }
        for entry in try context.fetch(unread) {
            guard let other = entry.list,
                try context.exists(SyncEntry.where { $0.list == list && $0.uid == entry.uid })
            else { continue }
            // Without a position, todod-sync compares all versions, and reads the texts without an entry.
            (other.token, other.ctag) = (nil, nil)
            try context.delete(entry)
        }
    }
}
