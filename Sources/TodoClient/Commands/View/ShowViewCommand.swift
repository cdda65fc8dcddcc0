internal import TodoAPI

/// The `view` command, for example `todoctl view` or `todoctl view work`.
struct ShowViewCommand: Command {
    static let verb = "view"
    static let summary = "Show a view, or list all views"
    static let details =
        "Save one with 'todoctl view save NAME', followed by the words and options of 'list'."
    static let examples = ["todoctl view"]

    private var name: [String] = []
    private var listing = ItemListing()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("[NAME]", &name, kind: .view)
        listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let fields = try listing.fields(session, isGrouped: true)
        let daemon = try session.daemon()
        let reply = try daemon.call(ListViews.self, .init())
        guard !name.isEmpty else { return try print(reply, session) }
        let name = name.joined(separator: " ")
        guard let view = reply.views.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            let near = reply.views.map(\.name).filter { $0.lowercased().hasPrefix(name.lowercased()) }
            throw .refused(
                "todoctl: "
                    + ErrorText.text(
                        for: .viewNotFound(name: name, similar: near), of: ListViews.qualifiedName,
                        words: session.words))
        }
        guard let query = view.query else {
            throw Self.unreadable(view, "this version cannot read its query: \(view.problem ?? "")")
        }
        var parameters = query.parameters
        parameters.fields = fields
        parameters.addFields(session)
        let items: [Item]
        do throws(ClientError) {
            items = try session.items(of: ListItems.self, parameters, daemon)
        } catch .refused(let message, let reason?) {
            let text = message.hasPrefix("todoctl: ") ? String(message.dropFirst(9)) : message
            throw Self.unreadable(view, text.split(separator: "\n").first.map(String.init) ?? "", reason)
        }
        try listing.print(
            items, grouping: query.group.flatMap(ItemGrouping.init), session,
            none: "No item is in the view \(view.name.oneLine()): list \(query.typed)")
    }

    /// Returns the error for a view that cannot be shown.
    private static func unreadable(
        _ view: ViewSummary, _ problem: String, _ reason: APIError? = nil
    ) -> ClientError {
        let name = ShellWord.quoted(view.name)
        let query = view.query.map { "\nIts query is: list \($0.typed)" } ?? ""
        return .refused(
            """
            todoctl: cannot show the view '\(view.name.oneLine())': \(problem.oneLine())\(query)
            To replace it:  todoctl view save \(name) --replace OPTIONS
            To delete it:  todoctl view delete \(name)
            """, reason: reason)
    }

    private func print(_ reply: ListViews.Reply, _ session: Session) throws(ClientError) {
        if try session.printJSON(reply) { return }
        if reply.views.isEmpty {
            return try Output.print("There are no views yet. Save one:  todoctl view save work --tag office")
        }
        let table = TextTable(
            columns: [.init("VIEW"), .init("LIST")],
            rows: reply.views.map { view in
                .init(cells: [
                    view.name.oneLine(), view.query?.typed ?? "(cannot be read: \(view.problem ?? ""))",
                ])
            })
        try Output.print(table.text(for: session.page))
    }
}
