internal import CivilTime
internal import TodoAPI

/// `todoctl add Pay the rent --due "tomorrow 9am" --category Home`
enum AddCommand: Command {
    static let verb = "add"
    static let synopsis = "add TEXT... [--due WHEN] [--every RULE] [--category NAME]"
    static let summary = "Add an item; prints its number and the time understood"
    static let details = """
          --due WHEN        tomorrow 9am, fri 15:30, in 20 minutes, 1 dec, 2026-12-24 18:00
          --every RULE      come again: day, 2 weeks, mon,wed, last friday, month until 1 dec,
                            week 10 times, or an RRULE; without --due at the next such day
          --after-done      count the next time from when it is done, not from when it was due
          --category NAME   the category it stands in
          --lead TIME       how long before that it is told: 1h, or 1d,1h,5m
          --priority 1-9    1 is the highest
          --notes TEXT      what else there is to say
          --mute            give no alert for it
          --past            take a due time that is past

        The text needs no quotes; behind -- everything is text.

        Example: todoctl add Pay the rent --due "tomorrow 9am" --category Home
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        var item = AddItem.Parameters()
        item.due = try arguments.value("--due", "-d")
        item.every = try arguments.value("--every", "-e")
        if arguments.flag("--after-done") { item.afterDone = true }
        if item.afterDone != nil, item.every == nil { throw arguments.usage("--after-done needs --every") }
        item.category = try arguments.value("--category", "-c")
        item.leads = try arguments.value("--lead", "-l")
        item.priority = try arguments.priority()
        item.notes = try arguments.value("--notes")
        if arguments.flag("--mute") { item.muted = true }
        if arguments.flag("--past") { item.past = true }
        item.timeZone = item.due == nil && item.every == nil ? nil : session.zoneName
        item.name = try arguments.rest().joined(separator: " ")
        if item.name.isEmpty { throw arguments.usage("'add' needs the text of the item") }
        let reply = try session.daemon().call(AddItem.self, item)
        if session.printJSON(reply) { return }
        Output.print("Added \(session.line(for: reply.item))")
    }
}
