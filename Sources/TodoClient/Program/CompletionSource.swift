internal import TodoAPI

/// A source of the items, names and conflicts that a shell can complete.
protocol CompletionSource {
    func items(_ state: ListItems.State) -> [Completion.Candidate]
    func categories() -> [Completion.Candidate]
    func tags() -> [Completion.Candidate]
    func views() -> [Completion.Candidate]
    func syncAccounts() -> [Completion.Candidate]
    func syncLists() -> [Completion.Candidate]
    func conflicts() -> [Completion.Candidate]
}

/// The items, names and conflicts of the daemon, or none if it does not run.
struct DaemonCompletionSource: CompletionSource {
    /// The maximum number of items to suggest.
    private static let itemsLimit: Int64 = 200
    private static let descriptionBytesLimit = 60

    let session: Session

    func items(_ state: ListItems.State) -> [Completion.Candidate] {
        var filter = ListItems.Parameters()
        filter.state = state
        filter.limit = Self.itemsLimit
        filter.fields = []
        var list = ItemList()
        do throws(ClientError) {
            try session.daemon().stream(ListItems.self, filter) { list.items += $0.items }
        } catch {
            return []
        }
        return list.items.map { item in
            .init(
                word: String(item.id), description: item.name.oneLine(bytesLimit: Self.descriptionBytesLimit))
        }
    }

    func categories() -> [Completion.Candidate] {
        do throws(ClientError) {
            return try session.daemon().call(ListCategories.self, .init()).categories.map { category in
                .init(word: category.name.oneLine(), description: "\(category.open) open")
            }
        } catch {
            return []
        }
    }

    func tags() -> [Completion.Candidate] {
        do throws(ClientError) {
            return try session.daemon().call(ListTags.self, .init()).tags.map { tag in
                .init(word: tag.name.oneLine(), description: "\(tag.open) open")
            }
        } catch {
            return []
        }
    }

    func views() -> [Completion.Candidate] {
        do throws(ClientError) {
            return try session.daemon().call(ListViews.self, .init()).views.map { view in
                .init(
                    word: view.name.oneLine(),
                    description: view.query?.typed.oneLine(bytesLimit: Self.descriptionBytesLimit) ?? "")
            }
        } catch {
            return []
        }
    }

    func syncAccounts() -> [Completion.Candidate] {
        accounts.accounts.map { account in
            .init(
                word: account.name.oneLine(),
                description: account.url.oneLine(bytesLimit: Self.descriptionBytesLimit))
        }
    }

    func syncLists() -> [Completion.Candidate] {
        let accounts = accounts
        return accounts.lists.map { list in
            .init(word: accounts.title(of: list).oneLine(), description: list.account.oneLine())
        }
    }

    private var accounts: SyncAccounts {
        do throws(ClientError) {
            return try SyncAccounts(session, session.daemon())
        } catch {
            return SyncAccounts([], session)
        }
    }

    func conflicts() -> [Completion.Candidate] {
        do throws(ClientError) {
            return try session.daemon().call(ListSyncConflicts.self, .init()).conflicts.map { conflict in
                .init(
                    word: String(conflict.id),
                    description: conflict.name.oneLine(bytesLimit: Self.descriptionBytesLimit))
            }
        } catch {
            return []
        }
    }
}
