internal import TodoAPI

/// The `sync remove` command, for example `todoctl sync remove dav.example.org --list home`.
struct RemoveAccountCommand: Command {
    static let verb = "sync remove"
    static let summary = "End the synchronization of an account or a list"
    static let details = """
        The items stay here and on the server. Later changes of one side do not reach the other. With the account, its \
        stored password is removed.
        """
    static let examples = [
        "todoctl sync remove dav.example.org --list home --yes", "todoctl sync remove dav.example.org --yes",
    ]

    private var account: [String] = []
    private var list: String?
    private var isSure = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("ACCOUNT", &account, kind: .syncAccount)
        arguments.option("--list NAME", &list, help: "only this list of the account", kind: .syncList)
        arguments.flag("-y, --yes", &isSure, help: "do not ask for confirmation")
    }

    func run(_ session: Session) throws(ClientError) {
        let accounts = try SyncAccounts(session, session.daemon())
        let account = try accounts.account(named: account.joined(separator: " "))
        let list = try list.map { name throws(ClientError) in
            try accounts.list(named: name, of: account.name).summary
        }
        let program = try session.syncProgram()
        let title = list.map { "the list '\($0.name.oneLine())'" } ?? "'\(account.name.oneLine())'"
        try ask(title, account, list.map { [$0] } ?? account.lists)
        var parameters = RemoveAccount.Parameters()
        parameters.name = account.name
        parameters.list = list?.url
        let reply = try program.call(RemoveAccount.self, parameters)
        if try session.printJSON(reply) { return }
        try Output.print(
            "The synchronization of \(title) has ended. The items stay here and on the server.")
    }

    /// Asks for confirmation.
    ///
    /// - Throws: an error if the user declines, or if there is no terminal to ask on.
    private func ask(
        _ title: String, _ account: SyncAccountSummary, _ removed: [SyncListSummary]
    ) throws(ClientError) {
        if isSure { return }
        let lists = account.lists.count
        let count = list == nil ? " (\(lists) \(lists == 1 ? "list" : "lists"))" : ""
        let conflicts = removed.reduce(0) { $0 + $1.conflicts }
        let loss =
            conflicts == 0
            ? ""
            : " The values that lost in \(conflicts) \(conflicts == 1 ? "conflict" : "conflicts") are removed."
        let question =
            "End the synchronization of \(title)\(count)? The items stay here and on the server.\(loss)"
        switch Question.ask(question) {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil:
            let options = (list.map { ["--list", ShellWord.quoted($0)] } ?? []) + ["--yes"]
            throw .usage(
                "todoctl: '\(Self.verb)' needs confirmation, and there is no terminal to ask on",
                hint: "To confirm:  "
                    + ShellWord.command("todoctl \(Self.verb)", operands: [account.name], options: options))
        }
    }
}
