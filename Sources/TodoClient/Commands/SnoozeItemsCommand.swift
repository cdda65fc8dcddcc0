internal import CivilTime
internal import Phrases
internal import TodoAPI

/// The `snooze` command, for example `todoctl snooze 3 10m`.
struct SnoozeItemsCommand: Command {
    static let verb = "snooze"
    static let summary = "Delay the alerts of items until a time"
    static let details = """
        WHEN is a time span (10m, 2h) or a time (18:00, tomorrow 9am). The default is 10m. 'off' ends the snooze, and sends \
        the alerts that it replaced at once.
        """
    static let examples = [
        "todoctl snooze 3 10m", "todoctl snooze 3 5 until tomorrow 9am", "todoctl snooze 3 5 off",
    ]

    private var items = ItemSelection(.open)
    private var when = TypedTime()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
        try arguments.time("[WHEN | off]", &when, or: ["off"])
        // In `3 5 minutes`, the second number belongs to the time.
        if when.lacksNumber, let number = items.removeLastNumber() { when.insert(number: number) }
        if when.isEmpty, let words = items.wordsEndingInNumber { throw Self.ambiguity(words) }
    }

    /// Returns an error for a command such as `snooze 3 5`, in which the last number may be an item or minutes.
    private static func ambiguity(_ words: [String]) -> ClientError {
        let (others, number) = (words.dropLast(), words[words.count - 1])
        let line = { (items: [String], when: String) in
            (["todoctl", verb] + items + [when]).joined(separator: " ")
        }
        let clock = DatePhrase.clock(ofDigits: number)
        let time = clock.map { "\nUntil \($0):       \(line(Array(others), $0))" } ?? ""
        return .usage(
            """
            todoctl: '\(([verb] + words).joined(separator: " "))' is ambiguous: \(number) is an item\
            \(clock == nil ? "" : ", a time") or minutes. Nothing was snoozed.
            """,
            hint: """
                Item \(number) too:     \(line(words, "10m"))
                For \(number) minutes:  \(line(Array(others), "\(number)min"))\(time)
                """)
    }

    func run(_ session: Session) throws(ClientError) {
        // `until 14h` names a time, and `14h` a length, so the daemon gets the word.
        let until = when.isEmpty ? "10m" : when.text(after: "for")
        if when.text(after: "until", "for") == "off" { return try end(session) }
        try items.change(
            for: Self.self, session: session,
            call: { (ids, daemon) throws(ClientError) in
                let reply = try daemon.call(
                    SnoozeItems.self, .init(ids: ids, until: until, timeZone: session.zoneName))
                session.addNote(reply.note)
                return reply
            }, unchanged: nil
        ) {
            let end = $0.snoozedUntil.map { " until \(session.words.moment($0))" } ?? ""
            return "Snoozed \($0.id)  \($0.name.oneLine())\(end)\($0.silence)"
        }
    }

    private func end(_ session: Session) throws(ClientError) {
        try items.change(
            for: Self.self, session: session, method: SnoozeItems.self, parameters: { .init(off: $0) },
            unchanged: "Was not snoozed"
        ) {
            let next = $0.nextAlert.map { next in
                next <= session.now ? "; its alert is sent now" : "; next alert \(session.words.moment(next))"
            }
            return "Unsnoozed \($0.id)  \($0.name.oneLine())\(next ?? "")\($0.silence)"
        }
    }
}

extension Item {
    /// A remark if the item or its category is muted, or an empty string.
    var silence: String {
        if muted { return "; but it is muted" }
        return categoryMuted ?? false ? "; but its category is muted" : ""
    }
}
