internal import TodoAPI

struct ListSyncAccountsHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: Empty, _ answer: Answer<ListSyncAccounts>) throws {
        let store = SyncStore(context: service.store.context)
        let accounts = try store.accounts()
        if !accounts.isEmpty {
            try service.changes.saving {
                for list in try accounts.flatMap(store.lists) {
                    try SyncSender(service, list).findChanges()
                }
            }
        }
        answer.reply(.init(accounts: try accounts.map(store.summary)))
    }
}
