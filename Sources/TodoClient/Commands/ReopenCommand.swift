internal import TodoAPI

/// `todoctl reopen 3`
struct ReopenCommand: Command {
    static let verb = "reopen"
    static let summary = "Mark items as not done"
    static let examples = ["todoctl reopen 3"]

    private var items = ItemSelection(.completed)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        let reply = try daemon.call(ReopenItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Reopened \(session.line(for: item))") }
    }
}
