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
        try item.codeOptions(&arguments, &category)
        arguments.flag("--mute", &item.muted, "give no alert for it")
    }

    func run(_ session: Session) throws(ClientError) {
        var item = item
        item.name = text.joined(separator: " ")
        if item.afterDone != nil, item.every == nil { throw Self.usage("--after-done needs --every") }
        // From a variable that is not set, most likely: an item that is never told is not what was meant.
        for (option, value) in [("--due", item.due), ("--every", item.every), ("--category", category.name)]
        where value == "" {
            throw Self.usage("\(option) is empty")
        }
        item.setTimeZone(session)
        let daemon = try session.daemon()
        let reply = try category.applied(category.name, daemon) { name throws(ClientError) in
            item.category = name
            return try daemon.call(AddItem.self, item)
        }
        if try session.printJSON(reply) { return }
        try Output.print("Added \(session.line(for: reply.item))")
        if let time = reply.timeInName { try Output.print(Self.question(time, reply.item)) }
    }

    /// What to type if the end of the name was meant to be the due time.
    private static func question(_ time: String, _ item: Item) -> String {
        let name = item.name.split(whereSeparator: \.isWhitespace)
            .dropLast(time.split(separator: " ").count).joined(separator: " ")
        // What is long or cannot be typed stays as it is.
        let change = name.oneLine(bytesLimit: 200) == name ? ["--name", ShellWord.quoted(name)] : []
        let lowercased = time.lowercased()
        let schedule = [
            lowercased.split(separator: " ").contains("every") ? "--every" : "--due",
            ShellWord.quoted(lowercased.hasPrefix("every ") ? String(time.dropFirst(6)) : time),
        ]
        let words = ["todoctl edit \(item.id)"] + change + schedule
        return "It has no due time. If '\(time.oneLine())' is one:  \(words.joined(separator: " "))"
    }
}
