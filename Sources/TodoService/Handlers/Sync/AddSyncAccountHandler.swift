internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct AddSyncAccountHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: AddSyncAccount.Parameters, _ answer: Answer<AddSyncAccount>) throws {
        try check(parameters)
        let store = SyncStore(context: service.store.context)
        let name = try TypedValue.category(parameters.name, field: "name")
        let known = try store.findAccount(named: name)
        if let known, known.url != parameters.url || known.user != parameters.user {
            throw APIError.syncAccountExists(name: known.name)
        }
        let reply = try service.changes.saving {
            let account = try known ?? newAccount(named: name, parameters)
            account.principal = parameters.principal ?? account.principal
            account.passwordSource = parameters.passwordSource
            let lists = try store.lists(of: account)
            for (index, choice) in parameters.lists.enumerated() {
                let category = try category(for: choice, field: "lists[\(index)].category", store)
                if let list = lists.first(where: { $0.href == choice.url }) {
                    // The category of a list can be given again after it was deleted.
                    if list.category == nil { try store.begin(list, with: category) }
                    continue
                }
                let list = try service.store.context.insert(SyncList.self)
                list.href = choice.url
                list.name = choice.name
                list.isReadOnly = choice.readOnly ?? false
                list.account = account
                try store.begin(list, with: category)
            }
            try service.store.context.save()
            return AddSyncAccount.Reply(account: try store.summary(of: account))
        }
        answer.reply(reply)
    }

    private func check(_ parameters: AddSyncAccount.Parameters) throws(APIError) {
        var texts = [
            ("user", parameters.user), ("principal", parameters.principal),
            ("passwordSource", parameters.passwordSource), ("url", parameters.url),
        ]
        for (index, list) in parameters.lists.enumerated() {
            texts += [("lists[\(index)].url", list.url), ("lists[\(index)].name", list.name)]
        }
        for (field, text) in texts { try TypedValue.checkSyncText(text, field: field) }
    }

    private func newAccount(named name: String, _ parameters: AddSyncAccount.Parameters) throws -> SyncAccount
    {
        let account = try service.store.context.insert(SyncAccount.self)
        let now = service.times.now()
        account.uid = UUIDValue(at: now).description
        account.name = name
        account.url = parameters.url
        account.user = parameters.user
        account.createdDate = now
        return account
    }

    /// Returns the category for a list, which is added if it does not exist.
    private func category(for choice: SyncListChoice, field: String, _ store: SyncStore) throws -> Category {
        let name = try TypedValue.category(choice.category ?? choice.name, field: field)
        guard let known = try service.store.findCategory(named: name) else {
            let category = try service.store.context.insertCategory(at: service.times.now())
            category.name = name
            return category
        }
        let other = try service.store.context.fetch(
            SyncList.where { $0.category == known && $0.href != choice.url }.limit(1)
        ).first
        if let other {
            throw APIError.invalidValue(
                field: field,
                reason:
                    "the category '\(known.name)' is synchronized with '\(other.name ?? other.href)' already")
        }
        return known
    }
}
