internal import TodoAPI

/// `todoctl reopen 3`
struct ReopenCommand: Command {
    static let verb = "reopen"
    static let summary = "Mark items as not done"
    static let examples = ["todoctl reopen 3"]

    private var items = ItemSelection()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(ReopenItems.self, .init(ids: items.ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Reopened \(session.line(for: item))") }
    }
}
