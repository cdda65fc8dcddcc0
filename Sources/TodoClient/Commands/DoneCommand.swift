internal import TodoAPI

/// `todoctl done 3 5`
struct DoneCommand: Command {
    static let verb = "done"
    static let summary = "Mark items as done"
    static let examples = ["todoctl done 3 5"]

    private var items = ItemSelection()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(CompleteItems.self, .init(ids: items.ids))
        if session.printJSON(reply) { return }
        for item in reply.items { Output.print("Done \(session.line(for: item))") }
    }
}
