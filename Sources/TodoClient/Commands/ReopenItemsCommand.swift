internal import TodoAPI

/// The `reopen` command, for example `todoctl reopen 3`.
struct ReopenItemsCommand: Command {
    static let verb = "reopen"
    static let summary = "Mark items as not done"
    static let details =
        "The completed items above a subtask are opened with it. The subtasks of an item stay done."
    static let examples = ["todoctl reopen 7"]

    private var items = ItemSelection(.completed)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: ReopenItems.self, parameters: ItemIDs.init,
            also: { "With \($0) item\($0 == 1 ? "" : "s") above" }
        ) {
            "Reopened \(session.line(for: $0))"
        }
    }
}
