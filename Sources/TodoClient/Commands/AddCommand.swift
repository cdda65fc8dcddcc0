internal import TodoAPI

/// `todoctl add Pay the rent --due "tomorrow 9am" --category Home`
struct AddCommand: Command {
    static let verb = "add"
    static let summary = "Add an item, and say what time was understood"
    static let details = """
        The text needs no quotes; behind -- everything is text. A RULE can also end in '10 times', or be an RRULE of \
        RFC 5545. Without a day in --due its next day is the first.
        """
    static let examples = [
        #"todoctl add Pay the rent --due "tomorrow 9am" --category Home"#,
        #"todoctl add Submit the report --due "friday 17:00" --lead 1d,1h --priority 1"#,
        "todoctl add Water the plants --every mon,fri --due 18:00",
    ]

    private var item = AddItem.Parameters()
    private var category = CategoryChoice()
    private var text: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("TEXT...", &text)
        arguments.option(
            "-d, --due WHEN", &item.due, "tomorrow 9am, fri 15:30, in 20 minutes, 1 dec, 2026-12-24 18:00")
        arguments.option(
            "-e, --every RULE", &item.every,
            "come again: day, 2 weeks, mon,wed, last friday, month until 1 may")
        arguments.flag(
            "--after-done", &item.afterDone,
            "count the next time from when it is done, not from when it was due")
        category.code(&arguments)
        arguments.option("-l, --lead TIME", &item.leads, "how long before that it is told: 1h, or 1d,1h,5m")
        try arguments.option("-p, --priority NUMBER", &item.priority, "from 1, the highest, to 9")
        arguments.option("--notes TEXT", &item.notes, "what else there is to say")
        arguments.flag("--mute", &item.muted, "give no alert for it")
        arguments.flag("--past", &item.past, "take a due time that is past")
    }

    func run(_ session: Session) throws(ClientError) {
        var item = item
        item.name = text.joined(separator: " ")
        if item.afterDone != nil, item.every == nil { throw Self.usage("--after-done needs --every") }
        item.timeZone = item.due == nil && item.every == nil ? nil : session.zoneName
        let daemon = try session.daemon()
        let reply = try category.applied(category.name, daemon) { name throws(ClientError) in
            item.category = name
            return try daemon.call(AddItem.self, item)
        }
        if session.printJSON(reply) { return }
        Output.print("Added \(session.line(for: reply.item))")
    }
}
