internal import TodoAPI

/// `todoctl delete 3`
struct DeleteCommand: Command {
    static let verb = "delete"
    static let summary = "Delete items for good"
    static let examples = ["todoctl delete 3"]

    private var items = ItemSelection()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(DeleteItems.self, .init(ids: items.ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Deleted \(session.line(for: item))") }
    }
}
