internal import CalDAV
internal import ConfigurationFiles
internal import Systemd
internal import TodoAPI

/// The methods that find, add and remove accounts. They block until the server and todod have answered.
struct AccountCalls: Sendable {
    let context: SyncContext
    let settings: SyncSettings

    /// Finds the lists of a server.
    func findLists(_ parameters: FindLists.Parameters) throws -> FindLists.Reply {
        let known = try context.todod().call(ListSyncAccounts.self, Empty()).accounts
        let account = Self.account(
            typed: parameters.url, name: parameters.name, user: parameters.user, among: known)
        let password = try password(
            parameters.password, source: source(parameters.passwordSource), of: account, user: parameters.user
        )
        let server = context.connector.server(
            user: parameters.user, password: password, caFile: settings.caFile)
        let discovery = try server.discover(parameters.url)
        var reply = FindLists.Reply()
        reply.url = Self.address(of: discovery, typed: parameters.url)
        reply.principal = discovery.principal?.description ?? ""
        let found = { (list: RemoteList) in
            var found = FoundSyncList()
            found.url = list.url.description
            found.name = list.name
            found.readOnly = list.isReadOnly ? true : nil
            found.account = known.first { Self.list(of: $0, at: list.url) != nil }?.name
            return found
        }
        reply.lists = try discovery.taskLists().map(found)
        let others = discovery.otherLists.map(found)
        reply.otherLists = others.isEmpty ? nil : others
        return reply
    }

    /// Adds an account. The password is checked first, and then stored.
    func add(_ parameters: AddAccount.Parameters) throws -> AddAccount.Reply {
        let todod = context.todod()
        let given = try source(parameters.passwordSource)
        if parameters.password != nil, given != nil {
            throw APIError.invalidValue(
                field: "passwordSource", reason: "it cannot be combined with a password")
        }
        let accounts = try todod.call(ListSyncAccounts.self, Empty()).accounts
        let expected = Self.account(
            typed: parameters.url, name: parameters.name, user: parameters.user, among: accounts)
        let password = try password(
            parameters.password, source: given, of: expected, user: parameters.user)
        let server = context.connector.server(
            user: parameters.user, password: password, caFile: settings.caFile)
        let discovery = try server.discover(parameters.url)
        let address = Self.address(of: discovery, typed: parameters.url)
        let known = accounts.first { $0.url == address && $0.user == parameters.user }
        let name = known?.name ?? expected.name
        if known == nil, accounts.contains(where: { $0.name == name }) {
            throw APIError.syncAccountExists(name: name)
        }
        if known == nil, parameters.lists.isEmpty {
            throw APIError.invalidValue(field: "lists", reason: "an account needs at least one list")
        }
        var account = AddSyncAccount.Parameters()
        account.name = name
        account.url = address
        account.user = parameters.user
        account.principal = discovery.principal?.description
        account.lists = parameters.lists.map { Self.choice($0, discovery) }
        let place: PasswordSource
        if let password = parameters.password {
            place = try context.passwords.store(password, of: name)
        } else {
            place = given ?? known.flatMap { PasswordSource($0.passwordSource) } ?? .configuration
        }
        account.passwordSource = place.description
        var reply = AddAccount.Reply()
        do {
            reply.account = try todod.call(AddSyncAccount.self, account).account
        } catch {
            if known == nil { removePassword(of: name, place) }
            throw error
        }
        if let former = known.flatMap({ PasswordSource($0.passwordSource) }), former != place {
            removePassword(of: name, former)
        }
        return reply
    }

    /// Removes an account with its stored password, or one of its lists.
    func remove(_ parameters: RemoveAccount.Parameters) throws -> RemoveAccount.Reply {
        let todod = context.todod()
        let accounts = try todod.call(ListSyncAccounts.self, Empty()).accounts
        var removed = DeleteSyncAccount.Parameters()
        removed.name = parameters.name
        removed.list = parameters.list
        _ = try todod.call(DeleteSyncAccount.self, removed)
        if parameters.list == nil,
            let account = accounts.first(where: { $0.name.lowercased() == parameters.name.lowercased() }),
            let source = PasswordSource(account.passwordSource)
        {
            removePassword(of: account.name, source)
        }
        return Empty()
    }

    // MARK: - Passwords

    private func source(_ text: String?) throws(APIError) -> PasswordSource? {
        guard let text else { return nil }
        guard let source = PasswordSource(text) else {
            throw .invalidValue(
                field: "passwordSource",
                reason: "expected keyring, file:PATH, command:TEXT or credential:NAME")
        }
        return source
    }

    /// Returns the given password, or the one at its place. An account without a user needs none.
    private func password(
        _ given: String?, source: PasswordSource?, of account: ExpectedAccount, user: String?
    ) throws(PasswordError) -> String? {
        if let given { return given }
        guard user != nil else { return nil }
        return try context.passwords.password(
            of: account.name, from: source ?? account.source ?? .configuration,
            command: settings.passwordCommand)
    }

    /// The name that an account will have, which is also the name of its password, and the place of its password, or `nil` if it
    /// is new.
    private struct ExpectedAccount {
        let name: String
        var source: PasswordSource?
    }

    /// Returns the account that the user means. Its server need not have answered yet.
    private static func account(
        typed: String, name: String?, user: String?, among accounts: [SyncAccountSummary]
    ) -> ExpectedAccount {
        let host = TypedAddress.host(of: typed)
        let known = accounts.first { account in
            account.user == user
                && (name.map { $0.lowercased() == account.name.lowercased() } ?? (account.url == typed)
                    || name == nil && host == account.name)
        }
        return ExpectedAccount(
            name: known?.name ?? name ?? host ?? typed,
            source: known.flatMap { PasswordSource($0.passwordSource) })
    }

    /// Removes a stored password. A failure is only logged, because the account is gone.
    private func removePassword(of account: String, _ source: PasswordSource) {
        do throws(PasswordError) {
            try context.passwords.remove(passwordOf: account, from: source)
        } catch {
            context.log.write(
                .warning, "The password of \(account) was not removed: \(error)", account: account)
        }
    }

    // MARK: - Lists

    /// Returns the URL by which the account is known: that of the user on the server, if the server says so.
    private static func address(of discovery: Discovery, typed: String) -> String {
        (discovery.principal ?? discovery.homes.first ?? discovery.typedList)?.description ?? typed
    }

    private static func list(of account: SyncAccountSummary, at url: DAVURL) -> SyncListSummary? {
        account.lists.first { DAVURL($0.url)?.isSameResource(as: url) ?? false }
    }

    /// Returns a choice with the URL as the server writes it, and marked as read-only if the server does so.
    private static func choice(_ choice: SyncListChoice, _ discovery: Discovery) -> SyncListChoice {
        var choice = choice
        guard let url = DAVURL(choice.url),
            let found = discovery.lists.first(where: { $0.url.isSameResource(as: url) })
        else { return choice }
        choice.url = found.url.description
        if choice.name.isEmpty { choice.name = found.name }
        if found.isReadOnly { choice.readOnly = true }
        return choice
    }
}
