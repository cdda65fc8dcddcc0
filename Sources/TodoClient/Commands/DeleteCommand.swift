internal import TodoAPI

/// `todoctl delete 3`
enum DeleteCommand: Command {
    static let verb = "delete"
    static let synopsis = "delete ID..."
    static let summary = "Delete items for good"
    static let details = "Example: todoctl delete 3"

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let ids = try arguments.itemIDs()
        let reply = try session.daemon().call(DeleteItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Deleted \(session.line(for: item))") }
    }
}
