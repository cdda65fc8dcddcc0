internal import TodoAPI

/// The `done` command, for example `todoctl done 3 5`.
struct CompleteItemsCommand: Command {
    static let verb = "done"
    static let summary = "Mark items as done"
    static let details = """
        A repeating item stays open, and moves to its next due time. The open subtasks of an item are done with it; those of \
        a repeating item start again.
        """
    static let examples = ["todoctl done 3 5-7", "todoctl done --where 'due < $today'"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: CompleteItems.self, parameters: ItemIDs.init,
            unchanged: "Already done",
            also: { "With \($0) subtask\($0 == 1 ? "" : "s")" }
        ) {
            "Done \(session.nextTime(of: $0))"
        }
    }
}
