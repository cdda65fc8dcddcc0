internal import TodoAPI

/// `todoctl edit 3 --due "friday 9am"`
struct EditCommand: Command {
    static let verb = "edit"
    static let summary = "Change an item"
    static let details = """
        Without an option your editor opens ($VISUAL, else $EDITOR, else that of the system) with all of the item. An \
        empty text ('') takes the due time, the rule, the category, the lead or the notes away.
        """
    static let examples = [#"todoctl edit 3 --due "friday 9am" --lead 1d,1h"#, "todoctl edit 3"]

    private var item = UpdateItem.Parameters()
    private var isAfterDue = false
    private var category = CategoryChoice()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.item("ID", &item.id, .open)
        arguments.option("-n, --name TEXT", &item.name, "what is to be done")
        try item.codeOptions(&arguments, &category)
        arguments.flag("--after-due", &isAfterDue, "count the next time from when it was due again")
    }

    func run(_ session: Session) throws(ClientError) {
        guard let reply = try isChange ? update(session) : edit(session) else {
            if session.wantsJSON {
                _ = try session.printJSON(session.daemon().call(GetItem.self, .init(id: item.id)))
            } else {
                try Output.print("Nothing was changed.")
            }
            return
        }
        if try session.printJSON(reply) { return }
        try Output.print("Changed \(session.line(for: reply.item))")
    }

    private var isChange: Bool {
        item.name != nil || item.due != nil || item.every != nil || item.afterDone != nil || isAfterDue
            || category.name != nil || item.leads != nil || item.priority != nil || item.notes != nil
    }

    private func update(_ session: Session) throws(ClientError) -> UpdateItem.Reply {
        if isAfterDue, item.afterDone != nil {
            throw Self.usage("--after-done and --after-due exclude each other")
        }
        var item = item
        if isAfterDue { item.afterDone = false }
        item.setTimeZone(session)
        let daemon = try session.daemon()
        return try category.applied(category.name, daemon) { name throws(ClientError) in
            item.category = name
            return try daemon.call(UpdateItem.self, item)
        }
    }

    private func edit(_ session: Session) throws(ClientError) -> UpdateItem.Reply? {
        guard let editor = Editor.customary else {
            throw Self.usage("'edit' needs something to change, such as --due, or an editor: set EDITOR")
        }
        let editing = ItemEditing(session: session, category: category, mayBePast: item.past)
        return try editing.run(item.id, editor: editor)
    }
}
