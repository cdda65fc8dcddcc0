internal import TodoAPI

/// `todoctl done 3 5`
struct DoneCommand: Command {
    static let verb = "done"
    static let summary = "Mark items as done"
    static let details = "An item that comes again stays open, and moves to its next time."
    static let examples = ["todoctl done 3 5-7", "todoctl done --where 'dueDate < $today'"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        let reply = try daemon.call(CompleteItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Done \(session.nextTime(of: item))") }
    }
}
