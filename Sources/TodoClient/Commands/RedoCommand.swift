internal import TodoAPI

/// `todoctl redo`
enum RedoCommand: Command {
    static let verb = "redo"
    static let synopsis = "redo [NUMBER]"
    static let summary = "Make changes again that were undone"
    static let details = """
        It goes as long as nothing else was changed since they were undone.

        Example: todoctl redo
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let reply = try session.daemon().call(Redo.self, try arguments.changeCount())
        if session.printJSON(reply) { return }
        for change in reply.changes { Output.print("Done again: \(session.line(for: change))") }
    }
}
