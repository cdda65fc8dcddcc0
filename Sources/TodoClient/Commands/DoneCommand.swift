internal import TodoAPI

/// `todoctl done 3 5`
enum DoneCommand: Command {
    static let verb = "done"
    static let synopsis = "done ID..."
    static let summary = "Mark items as done"
    static let details = """
        An item that comes again stays open, and moves to its next time.

        Example: todoctl done 3 5
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let ids = try arguments.itemIDs()
        let reply = try session.daemon().call(CompleteItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Done \(session.nextTime(of: item))") }
    }
}
