internal import TodoAPI

/// The `skip` command, for example `todoctl skip 3`.
struct SkipItemsCommand: Command {
    static let verb = "skip"
    static let summary = "Skip the current time of repeating items"
    static let details =
        "They move to their next due time. A rule that ends after 10 times counts the skipped one, too."
    static let examples = ["todoctl skip 3"]

    private var items = ItemSelection(.open)

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: SkipItems.self, parameters: ItemIDs.init,
            also: { "With \($0) subtask\($0 == 1 ? "" : "s")" }
        ) {
            "Skipped \(session.nextTime(of: $0))"
        }
    }
}
