internal import CivilTime
internal import TodoAPI

/// `todoctl add Pay the rent --due "tomorrow 9am" --category Home`
enum AddCommand: Command {
    static let verb = "add"
    static let synopsis = "add TEXT... [--due WHEN] [--category NAME] [--mute] [--past]"
    static let summary = "Add an item; prints its number and the time understood"
    static let details = """
          --due WHEN        tomorrow 9am, fri 15:30, in 20 minutes, 1 dec, 2026-12-24 18:00
          --category NAME   the category it stands in
          --mute            give no alert for it
          --past            take a due time that is past

        The text needs no quotes; behind -- everything is text.

        Example: todoctl add Pay the rent --due "tomorrow 9am" --category Home
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        var item = AddItem.Parameters()
        item.due = try arguments.value("--due", "-d")
        item.category = try arguments.value("--category", "-c")
        if arguments.flag("--mute") { item.muted = true }
        if arguments.flag("--past") { item.past = true }
        if item.due != nil, !session.zone.name.isEmpty { item.timeZone = session.zone.name }
        item.name = try arguments.rest().joined(separator: " ")
        if item.name.isEmpty { throw arguments.usage("'add' needs the text of the item") }
        let reply = try session.daemon().call(AddItem.self, item)
        if session.printJSON(reply) { return }
        Output.print("Added \(session.line(for: reply.item))")
    }
}
