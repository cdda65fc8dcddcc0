internal import CivilTime
internal import TodoAPI

/// `todoctl undo 2`
enum UndoCommand: Command {
    static let verb = "undo"
    static let synopsis = "undo [NUMBER]"
    static let summary = "Take back the last change, or the last NUMBER of them"
    static let details = """
        One command is one change, however many items it is about. The last 100 are kept, over a restart too;
        'todoctl redo' makes them again.

        Example: todoctl undo
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let reply = try session.daemon().call(Undo.self, try arguments.changeCount())
        if session.printJSON(reply) { return }
        for change in reply.changes { Output.print("Undone: \(session.line(for: change))") }
    }
}

extension Arguments {
    /// One number at most: how many changes are meant.
    mutating func changeCount() throws(ClientError) -> ChangeCount {
        let words = try rest()
        guard let word = words.first else { return ChangeCount() }
        guard words.count == 1, let count = Int64(word), count > 0 else {
            throw usage("'\(word.oneLine(bytesLimit: 80))' is not a number of changes")
        }
        return ChangeCount(count: count)
    }
}

extension Session {
    /// `deleted 'Pay the rent'  (today 17:00, 3 min ago)`
    func line(for change: ChangeNotice) -> String {
        "\(change.what.oneLine())  (\(words.moment(change.madeAt)), \(words.distance(to: change.madeAt)))"
    }
}
