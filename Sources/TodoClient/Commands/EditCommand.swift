internal import CivilTime
internal import TodoAPI

/// `todoctl edit 3 --due "friday 9am"`
enum EditCommand: Command {
    static let verb = "edit"
    static let synopsis = "edit ID [--name TEXT] [--due WHEN] [--every RULE]..."
    static let summary = "Change an item"
    static let details = """
          --name TEXT       what is to be done
          --due WHEN        tomorrow 9am, fri 15:30, in 20 minutes, 1 dec, 2026-12-24 18:00
          --every RULE      come again: day, 2 weeks, mon,wed, last friday, month until 1 dec,
                            week 10 times, or an RRULE
          --after-done      count the next time from when it is done,
          --after-due       or again from when it was due
          --category NAME   the category it stands in
          --lead TIME       how long before that it is told: 1h, or 1d,1h,5m
          --priority 0-9    1 is the highest, 0 is none
          --notes TEXT      what else there is to say
          --past            take a due time that is past

        An empty text ('') takes the due time, the rule, the category, the lead or the notes away.

        Example: todoctl edit 3 --due "friday 9am" --lead 1d,1h
        """

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        var item = UpdateItem.Parameters()
        item.name = try arguments.value("--name", "-n")
        item.due = try arguments.value("--due", "-d")
        item.every = try arguments.value("--every", "-e")
        let isAfterDone = arguments.flag("--after-done")
        let isAfterDue = arguments.flag("--after-due")
        if isAfterDone && isAfterDue {
            throw arguments.usage("--after-done and --after-due exclude each other")
        }
        if isAfterDone || isAfterDue { item.afterDone = isAfterDone }
        item.category = try arguments.value("--category", "-c")
        item.leads = try arguments.value("--lead", "-l")
        item.priority = try arguments.priority()
        item.notes = try arguments.value("--notes")
        let isChange =
            item.name != nil || item.due != nil || item.category != nil || item.leads != nil
            || item.priority != nil || item.notes != nil || item.every != nil || item.afterDone != nil
        if arguments.flag("--past") { item.past = true }
        item.timeZone = item.due == nil && item.every == nil ? nil : session.zoneName
        let ids = try arguments.itemIDs()
        guard let id = ids.first, ids.count == 1 else {
            throw arguments.usage("'edit' changes one item at a time")
        }
        guard isChange else { throw arguments.usage("'edit' needs something to change, such as --due") }
        item.id = id
        let reply = try session.daemon().call(UpdateItem.self, item)
        if session.printJSON(reply) { return }
        Output.print("Changed \(session.line(for: reply.item))")
    }
}
