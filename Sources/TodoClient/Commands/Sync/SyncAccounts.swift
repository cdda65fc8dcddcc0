internal import CivilTime
internal import Phrases
internal import TodoAPI

/// The accounts with which lists are synchronized, and the search for them by name.
struct SyncAccounts {
    /// A list and the name of its account.
    struct List {
        let account: String
        let summary: SyncListSummary
    }

    /// The message if there are no accounts.
    static let none =
        "No lists are synchronized yet. To add lists of a server:  todoctl sync add ann@example.org"

    let accounts: [SyncAccountSummary]
    private let words: TimeInWords

    init(_ session: Session, _ daemon: Daemon) throws(ClientError) {
        self.init(try daemon.call(ListSyncAccounts.self, .init()).accounts, session)
    }

    init(_ accounts: [SyncAccountSummary], _ session: Session) {
        self.accounts = accounts
        words = session.words
    }

    var lists: [List] {
        accounts.flatMap { account in account.lists.map { List(account: account.name, summary: $0) } }
    }

    /// Returns the name of a list or, if several lists have this name, `ACCOUNT/NAME`. If they are of one account, it is the URL.
    func title(of list: List) -> String {
        let name = list.summary.name
        let others = lists.filter { $0.summary.name.lowercased() == name.lowercased() }
        if others.count == 1 { return name }
        return others.count { $0.account == list.account } == 1 ? "\(list.account)/\(name)" : list.summary.url
    }

    // MARK: - Search

    func account(named name: String) throws(ClientError) -> SyncAccountSummary {
        if let account = Self.only(accounts.filter { $0.name == name }) { return account }
        if let account = Self.only(accounts.filter { $0.name.lowercased() == name.lowercased() }) {
            return account
        }
        throw refusal(.syncAccountNotFound(name: name, similar: Self.similar(to: name, accounts.map(\.name))))
    }

    /// Returns the list with a name such as `home`, `Work/home` or, in the account `account`, `home`.
    func list(named name: String, of account: String? = nil) throws(ClientError) -> List {
        let lists = lists.filter { account == nil || $0.account == account }
        let exact = lists.filter { $0.summary.name == name }
        let named =
            exact.isEmpty ? lists.filter { Self.names(of: $0).contains(name.lowercased()) } : exact
        if let list = Self.only(named) { return list }
        guard named.isEmpty else {
            let titles = named.map { "'\(title(of: $0).oneLine())'" }.joined(separator: ", ")
            throw .refused(
                "todoctl: several lists have the name '\(name.oneLine(bytesLimit: 80))'; type one of \(titles)"
            )
        }
        let titles = lists.map { account == nil ? title(of: $0) : $0.summary.name }
        throw refusal(.syncListNotFound(name: name, similar: Self.similar(to: name, titles)))
    }

    private static func names(of list: List) -> [String] {
        [list.summary.name, "\(list.account)/\(list.summary.name)", list.summary.url].map {
            $0.lowercased()
        }
    }

    private static func only<Element>(_ found: [Element]) -> Element? {
        found.count == 1 ? found[0] : nil
    }

    /// Returns the name that is nearest to a mistyped one, ignoring case, in a list that may be empty.
    static func similar(to name: String, _ names: [String]) -> [String] {
        let near = EditDistance.nearest(to: name.lowercased(), among: names.map { $0.lowercased() })
        return names.first { $0.lowercased() == near }.map { [$0] } ?? []
    }

    private func refusal(_ error: APIError) -> ClientError {
        let text = ErrorText.text(for: error, of: ListSyncAccounts.qualifiedName, words: words)
        return .refused("todoctl: \(text)", reason: error)
    }
}
