internal import TodoAPI

/// The `view save` command, for example `todoctl view save work --tag office --sort due`.
struct AddViewCommand: Command {
    static let verb = "view save"
    static let summary = "Save a list under a name"
    static let details = """
        The words and options after NAME are those of 'list'. Times stay as they are typed: a view with --due-before \
        tomorrow always ends with the present day. To show the view, type 'todoctl view NAME'.
        """
    static let examples = [
        "todoctl view save work --tag errand --sort due",
        "todoctl view save week --within 7d --group due",
    ]

    private var name = ""
    private var filter = ListFilter()
    private var mayReplace = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.word("NAME", &name)
        try filter.code(&arguments)
        arguments.flag("--replace", &mayReplace, help: "replace the query of an existing view")
    }

    func run(_ session: Session) throws(ClientError) {
        let query = ViewQuery(try filter.parameters(for: Self.self), group: filter.grouping?.rawValue)
        if filter.isEmpty {
            throw Self.usage("'view save' needs words or options of 'list', such as --tag office")
        }
        if ["save", "rename", "delete"].contains(name) {
            throw Self.usage("'\(name)' is a command of 'view'; choose another name")
        }
        let daemon = try session.daemon()
        do throws(ClientError) {
            let reply = try daemon.call(AddView.self, .init(name: name, query: query))
            if try session.printJSON(reply) { return }
            try print(reply.view, verb: "Saved")
        } catch .refused(let message, let reason?) {
            guard case .viewExists(let existing) = reason else { throw .refused(message, reason: reason) }
            guard mayReplace || Question.ask("Replace the view '\(existing.oneLine())'?") == true else {
                throw .refused("\(message)\nTo replace it, add --replace.", reason: reason)
            }
            let reply = try daemon.call(UpdateView.self, .init(name: name, query: query))
            if try session.printJSON(reply) { return }
            try print(reply.view, verb: reply.unchanged == true ? "Nothing changed:" : "Replaced")
        }
    }

    private func print(_ view: ViewSummary, verb: String) throws(ClientError) {
        let query = view.query?.typed ?? ""
        try Output.print("\(verb) view \(view.name.oneLine()): list\(query.isEmpty ? "" : " \(query)")")
    }
}
