internal import TodoAPI

/// The `sync now` command, for example `todoctl sync now`.
struct SyncNowCommand: Command {
    static let verb = "sync now"
    static let summary = "Synchronize now, and wait until both sides agree"
    static let details = """
        Without ACCOUNT, all accounts are synchronized. The exit status is 1 if both sides still differ: a list could not \
        be synchronized, a change could not be sent, or deletions are held back. The reason is on standard error. With \
        --json, it is in "problems" of the reply.
        """
    static let examples = ["todoctl sync now"]

    private var account: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("[ACCOUNT]", &account, kind: .syncAccount)
    }

    func run(_ session: Session) throws(ClientError) {
        var parameters = SyncNow.Parameters()
        parameters.account = account.isEmpty ? nil : account.joined(separator: " ")
        let accounts = try SyncAccounts(session, session.daemon())
        let program = try session.syncProgram()
        if session.wantsJSON {
            let reply = try program.call(SyncNow.self, parameters)
            _ = try session.printJSON(reply)
            if !reply.problems.isEmpty { throw .needsAttention }
            return
        }
        if accounts.accounts.isEmpty { return try Output.print(SyncAccounts.none) }
        let result = try synchronize(parameters, program)
        for line in result.lines { try Output.print(line) }
        if result.problems.isEmpty { return }
        var message = "todoctl: \(result.problems.joined(separator: "\ntodoctl: "))"
        // With several accounts, the status says which one has the problem.
        let name = parameters.account?.lowercased()
        let named = accounts.accounts.filter { name == nil || $0.name.lowercased() == name }
        if named.count == 1,
            let change = ChangePasswordCommand.invocation(after: result.problems, of: named[0])
        {
            message += "\nTo change the password:  \(change)"
        }
        throw .refused(message)
    }

    /// Synchronizes, and shows the progress on a terminal.
    private func synchronize(
        _ parameters: SyncNow.Parameters, _ program: Daemon
    ) throws(ClientError) -> SyncResult {
        var result = SyncResult()
        var bar = ProgressBar()
        defer { bar?.clear() }
        if bar != nil {
            Interruption.handle {
                Interruption.end(by: $0, message: "todod-sync continues without todoctl.\n")
            }
        }
        let onIdle: (() -> Void)? = bar == nil ? nil : { bar?.show(result.activity) }
        try program.stream(SyncNow.self, parameters, onIdle: onIdle) { reply in
            result.add(reply)
            bar?.show(result.activity)
        }
        return result
    }
}
