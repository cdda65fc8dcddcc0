internal import TodoAPI

/// The `category delete` command, for example `todoctl category delete Home --move-to House`.
struct DeleteCategoryCommand: Command {
    static let verb = "category delete"
    static let summary = "Delete a category, but keep its items"
    static let examples = ["todoctl category delete Home --move-to Work"]

    private var name: [String] = []
    private var destination: String?
    private var isSure = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("NAME", &name, kind: .category)
        arguments.option(
            "--move-to NAME", &destination, help: "move its items to this category", kind: .category)
        arguments.flag("-y, --yes", &isSure, help: "do not ask for confirmation if it has several items")
    }

    func run(_ session: Session) throws(ClientError) {
        let name = name.joined(separator: " ")
        let daemon = try session.daemon()
        try ask(name, daemon)
        let parameters = DeleteCategory.Parameters(name: name, moveTo: destination)
        let reply = try daemon.call(DeleteCategory.self, parameters)
        if try session.printJSON(reply) { return }
        try Output.print(
            "Deleted category \(reply.category.name.oneLine()); \(fate(of: reply.category.items))")
    }

    /// Asks for confirmation if two or more items would be left without a category.
    ///
    /// - Throws: an error if the user declines, or if there is no terminal to ask on.
    private func ask(_ name: String, _ daemon: Daemon) throws(ClientError) {
        if isSure || destination != nil { return }
        let categories = try daemon.call(ListCategories.self, .init()).categories
        let items = categories.first { $0.name.lowercased() == name.lowercased() }?.items ?? 0
        if items < 2 { return }
        switch Question.ask("Leave \(items) items without a category?") {
        case true?: return
        case false?: throw .refused("Nothing was changed.")
        case nil:
            throw .usage(
                "todoctl: '\(Self.verb)' would leave \(items) items without a category, and there is no terminal to ask on",
                hint: "To confirm:  "
                    + ShellWord.command("todoctl \(Self.verb)", operands: [name], options: ["--yes"]))
        }
    }

    private func fate(of items: Int64) -> String {
        if items == 0 { return "it had no items" }
        let subject = items == 1 ? "its item is" : "its \(items) items are"
        return destination.map { "\(subject) in \($0.oneLine()) now" } ?? "\(subject) without a category now"
    }
}
