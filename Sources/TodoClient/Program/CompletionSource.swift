internal import TodoAPI

/// A source of the items, categories, tags and views that a shell can complete.
protocol CompletionSource {
    func items(_ state: ListItems.State) -> [Completion.Candidate]
    func categories() -> [Completion.Candidate]
    func tags() -> [Completion.Candidate]
    func views() -> [Completion.Candidate]
}

/// The items, categories, tags and views of the daemon, or none if it does not run.
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
}
