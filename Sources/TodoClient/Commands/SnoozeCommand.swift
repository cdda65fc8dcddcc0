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
    private var when: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try items.code(&arguments)
        try arguments.words("[WHEN]", &when)
    }

    func run(_ session: Session) throws(ClientError) {
        let daemon = try session.daemon()
        guard let ids = try items.ids(of: Self.self, session, daemon) else { return }
        var parameters = SnoozeItems.Parameters()
        parameters.ids = ids
        parameters.until = when.isEmpty ? "10m" : when.typedTime
        parameters.timeZone = session.zoneName
        let reply = try daemon.call(SnoozeItems.self, parameters)
        if session.printJSON(reply) { return }
        for item in reply.items {
            let end = item.snoozedUntil.map { " until \(session.words.moment($0))" } ?? ""
            Output.print("Snoozed \(item.id)  \(item.name.oneLine())\(end)")
        }
    }
}

extension [String] {
    /// What was typed after `until` or `for`, or all of it.
    var typedTime: String {
        let isFiller = count > 1 && (first == "until" || first == "for")
        return dropFirst(isFiller ? 1 : 0).joined(separator: " ")
    }
}
