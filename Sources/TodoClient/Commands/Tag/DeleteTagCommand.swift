internal import TodoAPI

/// The `tag delete` command, for example `todoctl tag delete errand`.
struct DeleteTagCommand: Command {
    static let verb = "tag delete"
    static let summary = "Delete a tag, but keep its items"
    static let examples = ["todoctl tag delete errand --yes"]

    private var name: [String] = []
    private var isSure = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name, kind: .tag)
        arguments.flag("-y, --yes", &isSure, help: "do not ask for confirmation if it has several items")
    }

    func run(_ session: Session) throws(ClientError) {
        let name = name.joined(separator: " ")
        let daemon = try session.daemon()
        try ask(name, session, daemon)
        let reply = try daemon.call(DeleteTag.self, .init(name: name))
        if try session.printJSON(reply) { return }
        try Output.print("Deleted tag \(reply.tag.name.oneLine()); \(Self.fate(of: reply.tag.items))")
    }

    /// Asks for confirmation if two or more items would lose the tag.
    ///
    /// - Throws: an error if the user declines, or if there is no terminal to ask on.
    private func ask(_ name: String, _ session: Session, _ daemon: Daemon) throws(ClientError) {
        if isSure { return }
        // The daemon decides which tag the name means.
        var filter = ListItems.Parameters()
        filter.state = .all
        filter.tags = [name]
        filter.fields = []
        let items = try session.items(of: ListItems.self, filter, daemon).count
        if items < 2 { return }
        switch Question.ask("Remove the tag from \(items) items?") {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil:
            throw .usage(
                "todoctl: '\(Self.verb)' would remove the tag from \(items) items, and there is no terminal to ask on",
                hint: "To confirm:  "
                    + ShellWord.command("todoctl \(Self.verb)", operands: [name], options: ["--yes"]))
        }
    }

    private static func fate(of items: Int64) -> String {
        switch items {
        case 0: "it had no items"
        case 1: "its item is kept"
        default: "its \(items) items are kept"
        }
    }
}
