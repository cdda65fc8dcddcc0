internal import TodoAPI

/// The `sync password` command, for example `todoctl sync password dav.example.org`.
struct ChangePasswordCommand: Command {
    static let verb = "sync password"
    static let summary = "Change the password of an account"
    static let details = """
        todod-sync checks the new password on the server, stores it, and synchronizes the account. The former password is \
        removed if todod-sync has stored it at another place. Without an option, todoctl asks for the password.
        """
    static let examples = [
        "todoctl sync password dav.example.org",
        "todoctl sync password dav.example.org --password-source keyring",
    ]

    /// Returns the command that changes the password of an account, or `nil` if none of the problems is about a password.
    static func invocation(after problems: [String], of account: SyncAccountSummary) -> String? {
        guard account.user != nil,
            problems.contains(where: { $0.contains("password") || $0.contains("keyring") })
        else { return nil }
        return ShellWord.command("todoctl \(verb)", operands: [account.name])
    }

    private var account: [String] = []
    private var passwordOptions = PasswordOptions()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("ACCOUNT", &account, kind: .syncAccount)
        passwordOptions.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let accounts = try SyncAccounts(session, session.daemon())
        let account = try accounts.account(named: account.joined(separator: " "))
        let program = try session.syncProgram()
        guard let user = account.user else {
            throw .refused(
                "todoctl: the account '\(account.name.oneLine())' has no user, and so needs no password")
        }
        let answer = try passwordOptions.answer(
            askingFor: "New password of \(user.oneLine()) on \(account.name.oneLine()): ", verb: Self.verb)
        var parameters = AddAccount.Parameters()
        (parameters.name, parameters.url, parameters.user) = (account.name, account.url, user)
        (parameters.password, parameters.passwordSource) = (answer.password, answer.source)
        let reply = try program.call(AddAccount.self, parameters, waitingFor: account.name.oneLine())
        if try session.printJSON(reply) { return }
        try Output.print("The password of '\(account.name.oneLine())' was accepted by the server.")
    }
}
