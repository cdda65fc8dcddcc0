internal import TodoAPI

/// `todoctl delete 3`
struct DeleteCommand: Command {
    static let verb = "delete"
    static let summary = "Delete items for good"
    static let examples = ["todoctl delete 3", "todoctl delete --where 'completed == YES' --yes"]

    private var items = ItemSelection(.all, question: "Delete them for good?")

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        let reply = try daemon.call(DeleteItems.self, .init(ids: ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Deleted \(session.line(for: item))") }
    }
}
