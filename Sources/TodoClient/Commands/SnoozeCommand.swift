internal import CivilTime
internal import TodoAPI

/// `todoctl snooze 3 10m`
struct SnoozeCommand: Command {
    static let verb = "snooze"
    static let summary = "Be told again later, and not before"
    static let details =
        "WHEN is a length of time (10m, 2h) or a time (18:00, tomorrow 9am); without it, 10m."
    static let examples = ["todoctl snooze 3 10m", "todoctl snooze 3 5 until tomorrow 9am"]

    private var items = ItemSelection(.open)
    private var when = TypedTime()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
        try arguments.time("[WHEN]", &when)
        // In `3 5 minutes` the second number is none of an item.
        if when.lacksNumber, let number = items.removeLastNumber() { when.insert(number: number) }
    }

    func run(_ session: Session) throws(ClientError) {
        let until = when.isEmpty ? "10m" : when.text(after: "until", "for")
        try items.change(
            Self.self, session, SnoozeItems.self,
            { SnoozeItems.Parameters(ids: $0, until: until, timeZone: session.zoneName) }
        ) {
            let end = $0.snoozedUntil.map { " until \(session.words.moment($0))" } ?? ""
            return "Snoozed \($0.id)  \($0.name.oneLine())\(end)\($0.silence)"
        }
    }
}

extension Item {
    /// Why nobody will hear of it, for an answer to one who wants to; empty when that is not so.
    var silence: String {
        if muted { return "; but it is muted" }
        return categoryMuted ?? false ? "; but its category is muted" : ""
    }
}
