internal import TodoAPI

/// The `delete` command, for example `todoctl delete 3`.
struct DeleteItemsCommand: Command {
    static let verb = "delete"
    static let aliases = ["rm"]
    static let summary = "Delete items; only undo restores them"
    static let details = "The subtasks of an item are deleted with it."
    static let examples = ["todoctl delete 3", "todoctl delete --where 'completed == YES' --yes"]

    private var items = ItemSelection(.all, question: { "Delete these \($0) items?" })

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: DeleteItems.self, parameters: ItemIDs.init,
            also: { "With \($0) subtask\($0 == 1 ? "" : "s")" }
        ) {
            "Deleted \(session.line(for: $0))"
        }
    }
}
