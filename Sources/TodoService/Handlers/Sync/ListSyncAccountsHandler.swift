internal import TodoAPI

struct ListSyncAccountsHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: Empty, _ answer: Answer<ListSyncAccounts>) throws {
        let store = SyncStore(context: service.store.context)
        answer.reply(.init(accounts: try store.accounts().map(store.summary)))
    }
}
