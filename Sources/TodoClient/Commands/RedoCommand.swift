internal import TodoAPI

/// The `redo` command.
struct RedoCommand: Command {
    static let verb = "redo"
    static let summary = "Reapply the last undone change"
    static let details = "This works until something else is changed."
    static let examples = ["todoctl redo"]

    private var parameters = ChangeCount()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.changeCount(&parameters)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(Redo.self, parameters)
        if try session.printJSON(reply) { return }
        for change in reply.changes { try Output.print("Redone: \(session.line(for: change))") }
        try session.printShortfall(of: reply, parameters, "redone")
    }
}
