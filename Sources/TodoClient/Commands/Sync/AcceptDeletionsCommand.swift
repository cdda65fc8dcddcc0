internal import TodoAPI

/// The `sync accept` command, for example `todoctl sync accept home`.
struct AcceptDeletionsCommand: Command {
    static let verb = "sync accept"
    static let summary = "Delete the items that are gone on the server"
    static let details = """
        If a server suddenly has far fewer tasks, todod-sync holds their deletions back, because the server may have lost \
        them. LIST is the name of the list or, if several accounts have such a list, ACCOUNT/NAME. To keep the items, type \
        'todoctl sync restore'.
        """
    static let examples = ["todoctl sync accept home --yes"]

    private var list: [String] = []
    private var isSure = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("LIST", &list, kind: .syncList)
        arguments.flag("-y, --yes", &isSure, help: "do not ask for confirmation")
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        let held = try HeldDeletions(of: list.joined(separator: " "), session, daemon)
        guard let reason = held.reason else { return try held.printNone(session) }
        try ask(held, reason)
        try held.decide(accepts: true, session, daemon) { reply in
            let deleted = "\(reply.deleted) \(reply.deleted == 1 ? "item" : "items")"
            let title = held.title.oneLine()
            if reply.kept == 0 { return "Deleted \(deleted) of '\(title)' that are gone on the server." }
            let kept = "\(reply.kept) \(reply.kept == 1 ? "item that was" : "items that were") changed here"
            return "Deleted \(deleted) of '\(title)'; \(kept) will be sent to the server again."
        }
    }

    /// Asks for confirmation, with the reason and the items.
    ///
    /// - Throws: an error if the user declines, or if there is no terminal to ask on.
    private func ask(_ held: HeldDeletions, _ reason: String) throws(ClientError) {
        if isSure { return }
        switch Question.ask("\(held.title.oneLine()): \(ErrorText.lines(of: reason))\n\(held.question)") {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil:
            let command = ShellWord.command(
                "todoctl \(Self.verb)", operands: [held.title], options: ["--yes"])
            throw .usage(
                "todoctl: '\(Self.verb)' deletes items, and there is no terminal to ask on: \(reason.oneLine())",
                hint: "To confirm:  \(command)")
        }
    }
}
