internal import CivilTime
internal import TodoAPI

/// The `undo` command, for example `todoctl undo 2`.
struct UndoCommand: Command {
    static let verb = "undo"
    static let summary = "Undo the last change, or the last NUMBER changes"
    static let details =
        "Each command is one change, even of many items. The last 100 changes are kept, also after a restart. "
        + "'todoctl redo' reapplies them."
    static let examples = ["todoctl undo", "todoctl undo 2"]

    private var parameters = ChangeCount()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.changeCount(&parameters)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(Undo.self, parameters)
        if try session.printJSON(reply) { return }
        for change in reply.changes { try Output.print("Undone: \(session.line(for: change))") }
        try session.printShortfall(of: reply, parameters, "undone")
    }
}

extension Arguments {
    /// Declares the operand for the number of changes, which is one by default.
    mutating func changeCount(_ parameters: inout ChangeCount) throws(ClientError) {
        var text = "1"
        try word("[NUMBER]", &text)
        guard let count = Int64(text), count > 0 else {
            throw usage("'\(text.oneLine(bytesLimit: 80))' is not a number of changes")
        }
        parameters.count = count
    }
}

extension Session {
    /// Prints a message if there were fewer changes than the user asked for.
    func printShortfall(
        of reply: ChangeList, _ wanted: ChangeCount, _ participle: String
    ) throws(ClientError) {
        let count = reply.changes.count
        guard let wanted = wanted.count, count < wanted else { return }
        let verb = count == 1 ? "was" : "were"
        try Output.print("Only \(count) of \(wanted) changes \(verb) \(participle): there are no more.")
    }

    /// Returns a line such as `deleted 'Pay the rent'  (today 17:00, 3 min ago)`.
    func line(for change: ChangeNotice) -> String {
        "\(change.summary.oneLine())  (\(words.moment(change.madeAt)), \(words.distance(to: change.madeAt)))"
    }
}
