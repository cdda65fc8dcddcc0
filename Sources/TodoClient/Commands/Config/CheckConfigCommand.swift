internal import TodoAPI

/// The `config check` command.
struct CheckConfigCommand: Command {
    static let verb = "config check"
    static let summary = "Show wrong lines and the effect of a reload"
    static let details = """
        The daemon reads the files again without applying them. If it is not running, 'todod --check-config' shows the \
        wrong lines.
        """
    static let examples = ["todoctl config check"]
    static let warnings = WarningUse.dropped

    func run(_ session: Session) throws(ClientError) {
        let reply = try check(session)
        let isPrinted = try session.printJSON(reply)
        guard reply.wrongLines.isEmpty else {
            let count = reply.wrongLines.count
            let head =
                count == 1
                ? "1 line of the configuration is wrong" : "\(count) lines of the configuration are wrong"
            let lines = reply.wrongLines.map { "\n  \($0.text)" }.joined()
            throw .refused("todoctl: \(head)\(lines)")
        }
        if isPrinted { return }
        for warning in reply.warnings ?? [] { try Output.print("Warning: \(warning.oneLine())") }
        guard !reply.changes.isEmpty else {
            return try Output.print("The configuration is valid, and todod uses it.")
        }
        let isOfStore = reply.changes.contains { $0.section == "Store" }
        let verb = isOfStore ? "restart" : "reload"
        try Output.print("The configuration is valid. A \(verb) would change:")
        for change in reply.changes {
            try Output.print("  \(change.name)=\(change.shownValue)")
        }
        try Output.print("Apply it:  systemctl --user \(verb) todod.service")
    }

    private func check(_ session: Session) throws(ClientError) -> CheckConfig.Reply {
        do throws(ClientError) {
            return try session.daemon().call(CheckConfig.self, .init())
        } catch {
            guard case .noDaemon(let message) = error else { throw error }
            throw .noDaemon("\(message)\nCheck the files without the daemon:  todod --check-config")
        }
    }
}
