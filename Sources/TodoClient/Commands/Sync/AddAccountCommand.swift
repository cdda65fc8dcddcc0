internal import Platform
internal import TodoAPI

/// The `sync add` command, for example `todoctl sync add ann@example.org`.
struct AddAccountCommand: Command {
    static let verb = "sync add"
    static let summary = "Synchronize lists with a CalDAV server"
    static let details = """
        URL is that of a server, a host, or an address such as ann@example.org. On a terminal, todoctl asks for the user, \
        the password, the lists and, if a category of the same name has items, for the category of each list. A list and \
        its category get the items of each other. todod-sync stores a password that was typed or read from --password-file. \
        Without a terminal, type the user, the place of the password, and the lists. For other lists of a known account, \
        the password may be omitted.
        """
    static let examples = [
        "todoctl sync add ann@example.org",
        "todoctl sync add https://dav.example.org --user ann --password-file secret --list home --yes",
        "todoctl sync add dav.example.org --user ann --password-source keyring --all --yes",
    ]

    private var url = ""
    private var user: String?
    private var passwordOptions = PasswordOptions()
    private var lists: [String]?
    private var isAll = false
    private var category: String?
    private var name: String?
    private var isSure = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("URL", &url)
        arguments.option(
            "-u, --user NAME", &user,
            help: "the user on the server; the default is the part of an address before @, or your login name"
        )
        passwordOptions.code(&arguments)
        try arguments.texts("-l, --list NAME", &lists, help: "synchronize this list; may be repeated")
        arguments.flag("-a, --all", &isAll, help: "synchronize all lists that are not synchronized yet")
        arguments.option(
            "-c, --category NAME", &category, help: "the category of the list, if there is only one",
            kind: .category)
        arguments.option("--name ACCOUNT", &name, help: "the name of the account; the default is the host")
        arguments.flag(
            "-y, --yes", &isSure, help: "do not ask for confirmation; without --list, the same as --all")
    }

    func run(_ session: Session) throws(ClientError) {
        let server = try server()
        try checkOptions()
        // Before any question, both programs have to be there.
        let daemon = try session.daemon()
        let program = try session.syncProgram()
        let accounts = try SyncAccounts(session, daemon)
        try checkEncryption(of: server)
        let user = try user(on: server)
        let isKnown = accounts.accounts.contains { account in
            account.user == user && (account.name == name ?? server.host || account.url == server.url)
        }
        let password = try password(of: user, on: server, isKnown: isKnown)

        let found = try find(server, user, password, accounts, program)
        let known = accounts.accounts.first { $0.url == found.url && $0.user == user }
        guard let chosen = try choose(found, knownAs: known?.name) else {
            throw .refused("Nothing was changed.")
        }
        if chosen.isEmpty, known == nil { return try printNothingNew(found, accounts, session) }
        var assignment = try CategoryAssignment(accounts, host: server.host, isSure: isSure, daemon)
        var parameters = AddAccount.Parameters()
        for list in chosen {
            var choice = SyncListChoice()
            (choice.url, choice.name, choice.readOnly) = (list.url, list.name, list.readOnly)
            choice.category = try assignment.category(for: list, named: category)
            parameters.lists.append(choice)
        }
        parameters.name = name
        parameters.url = found.url
        parameters.user = user
        (parameters.password, parameters.passwordSource) = (password.password, password.source)
        let reply = try program.call(AddAccount.self, parameters, waitingFor: server.host.oneLine())
        if try session.printJSON(reply) { return }
        guard chosen.isEmpty else { return try print(parameters.lists, of: reply.account) }
        let use = password.place.map { ", from now on with \($0)" } ?? ""
        try Output.print("These lists on \(server.host.oneLine()) are synchronized already\(use).")
        if let name, name != reply.account.name {
            try Output.print("The account keeps its name, \(reply.account.name.oneLine()).")
        }
    }

    // MARK: - The command line

    private func server() throws(ClientError) -> TypedServer {
        do throws(TypedServer.Invalid) {
            return try TypedServer(url)
        } catch {
            switch error {
            case .password:
                throw .usage(
                    "todoctl: the URL has a password, which other users of this machine can read",
                    hint:
                        "Type the URL without it, change the password, and type the new one when todoctl asks."
                )
            case .scheme(let scheme):
                throw Self.usage("a URL begins with https, not '\(scheme.oneLine(bytesLimit: 40))'")
            case .empty, .noHost:
                throw Self.usage(
                    "'\(Self.verb)' needs a URL such as https://dav.example.org, or an address such as ann@example.org"
                )
            }
        }
    }

    private func checkOptions() throws(ClientError) {
        if isAll, lists != nil { throw Self.usage("--list and --all cannot be combined") }
        if category != nil, lists?.count != 1 {
            throw Self.usage("--category needs a single list, which --list names")
        }
        guard !Question.isPossible, !isAll, !isSure, lists == nil else { return }
        throw .usage(
            "todoctl: '\(Self.verb)' needs lists, and there is no terminal to ask on",
            hint: "Name each with --list NAME, or add --all for all that are not synchronized yet.")
    }

    // MARK: - The user and the password

    /// Asks whether the password may be sent without encryption, if the URL requires this.
    private func checkEncryption(of server: TypedServer) throws(ClientError) {
        if !server.isReadable || isSure { return }
        let host = server.host.oneLine()
        let reason =
            "the password and the items would be sent to \(host) without encryption, so others can read them"
        switch Question.ask("With http, \(reason). Continue?") {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil: throw .usage("todoctl: \(reason)", hint: "Use https, or add --yes to accept this.")
        }
    }

    /// Returns the user, or `nil` if the server has no users.
    private func user(on server: TypedServer) throws(ClientError) -> String? {
        if let user { return user.isEmpty ? nil : user }
        let byDefault = server.user ?? Environment.userName(ofID: Environment.userID) ?? ""
        guard Question.isPossible, !isSure || server.user == nil else { return byDefault }
        guard let user = Question.line("User on \(server.host.oneLine())", byDefault: byDefault) else {
            throw .refused("Nothing was changed.")
        }
        return user
    }

    private func password(
        of user: String?, on server: TypedServer, isKnown: Bool
    ) throws(ClientError) -> PasswordOptions.Answer {
        guard let user, !isKnown else { return try passwordOptions.answer() ?? .init() }
        return try passwordOptions.answer(
            askingFor: "Password of \(user.oneLine()) on \(server.host.oneLine()): ", verb: Self.verb)
    }

    // MARK: - The lists

    private struct Found {
        let url: String
        let lists: FoundLists
    }

    private func find(
        _ server: TypedServer, _ user: String?, _ password: PasswordOptions.Answer,
        _ accounts: SyncAccounts, _ program: Daemon
    ) throws(ClientError) -> Found {
        var parameters = FindLists.Parameters()
        (parameters.url, parameters.user, parameters.name) = (server.url, user, name)
        (parameters.password, parameters.passwordSource) = (password.password, password.source)
        let reply: FindLists.Reply
        do throws(ClientError) {
            reply = try program.call(FindLists.self, parameters, waitingFor: server.host.oneLine())
        } catch .refused(let message, let reason?) {
            guard case .serverProblem = reason, server.isAddress, user != server.url else {
                throw .refused(message, reason: reason)
            }
            let hint = ShellWord.command(
                "todoctl \(Self.verb)", operands: [server.url],
                options: ["--user", ShellWord.quoted(server.url)])
            throw .refused(
                "\(message)\nIf the server takes the whole address as the user:  \(hint)", reason: reason)
        }
        if reply.lists.isEmpty {
            throw .refused(
                "todoctl: \(server.host.oneLine()) has no lists of tasks\(user.map { " for \($0.oneLine())" } ?? "")\n"
                    + "Create one there, for example with the web page of the server, and try again.")
        }
        return Found(
            url: reply.url.isEmpty ? server.url : reply.url,
            lists: FoundLists(
                lists: reply.lists.map { Self.withoutCategory($0, accounts) },
                others: reply.otherLists ?? [], host: server.host))
    }

    /// Returns a list of which the category was deleted as one that is not synchronized, because it needs a category again.
    private static func withoutCategory(_ list: FoundSyncList, _ accounts: SyncAccounts) -> FoundSyncList {
        var list = list
        let known = accounts.lists.first { $0.account == list.account && $0.summary.url == list.url }
        if let known, known.summary.category == nil { list.account = nil }
        return list
    }

    /// Returns the lists to synchronize, or `nil` if the user has ended the input.
    private func choose(
        _ found: Found, knownAs account: String?
    ) throws(ClientError) -> [FoundSyncList]? {
        if let lists { return try found.lists.lists(named: lists, besidesThoseOf: account) }
        if isAll || isSure || found.lists.new.isEmpty { return found.lists.new }
        return found.lists.ask()
    }

    private func printNothingNew(
        _ found: Found, _ accounts: SyncAccounts, _ session: Session
    ) throws(ClientError) {
        var reply = AddAccount.Reply()
        let names = found.lists.lists.map(\.account)
        reply.account = accounts.accounts.first { names.contains($0.name) } ?? reply.account
        if try session.printJSON(reply) { return }
        try Output.print("All lists on \(found.lists.host.oneLine()) are synchronized already.")
    }

    private func print(_ choices: [SyncListChoice], of account: SyncAccountSummary) throws(ClientError) {
        for choice in choices {
            let category =
                account.lists.first { $0.url == choice.url }?.category ?? choice.category ?? choice.name
            let note = choice.readOnly == true ? " (read-only: changes here are not sent)" : ""
            try Output.print(
                "'\(choice.name.oneLine())' is synchronized with the category '\(category.oneLine())'\(note)")
        }
        try Output.print("Account \(account.name.oneLine()). To see the progress:  todoctl sync")
    }
}
