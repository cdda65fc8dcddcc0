internal import TodoAPI

/// The `tag list` command.
struct ListTagsCommand: Command {
    static let verb = "tag list"
    static let summary = "List the tags, and how many items they have"
    static let details = "A tag without items stays until it is deleted."
    static let examples = ["todoctl tag list"]

    func run(_ session: Session) throws(ClientError) {
        let reply = try session.daemon().call(ListTags.self, .init())
        if try session.printJSON(reply) { return }
        if reply.tags.isEmpty {
            return try Output.print(
                "There are no tags yet. Give one to an item:  todoctl edit ID --tag errand")
        }
        let table = TextTable(
            columns: [.init("OPEN", alignment: .right), .init("ITEMS", alignment: .right), .init("TAG")],
            rows: reply.tags.map { tag in
                .init(cells: [String(tag.open), String(tag.items), tag.name.oneLine()])
            })
        try Output.print(table.text(for: session.page))
    }
}
