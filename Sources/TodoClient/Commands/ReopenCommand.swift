internal import TodoAPI

/// `todoctl reopen 3`
enum ReopenCommand: Command {
    static let verb = "reopen"
    static let synopsis = "reopen ID..."
    static let summary = "Mark items as not done"
    static let details = "Example: todoctl reopen 3"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let ids = try arguments.itemIDs()
        let reply = try session.daemon().call(ReopenItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Reopened \(session.line(for: item))") }
    }
}
