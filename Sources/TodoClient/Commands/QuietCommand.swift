internal import CivilTime
internal import TodoAPI

/// The `quiet` command, for example `todoctl quiet 2h`.
struct QuietCommand: Command {
    static let verb = "quiet"
    static let summary = "Hold alerts back for a while"
    static let details = """
        WHEN is a time span (2h) or a time (18:00, tomorrow 9am). Without it, the command shows whether alerts are held back. \
        Alerts that were held back are sent together afterwards.
        """
    static let examples = ["todoctl quiet 2h", "todoctl quiet until tomorrow 7:00", "todoctl quiet off"]

    private var when = TypedTime()

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.time("[WHEN | off]", &when, or: ["off"])
    }

    func run(_ session: Session) throws(ClientError) {
        var parameters = Quiet.Parameters()
        // `until 14h` names a time, and `14h` a length, so the daemon gets the word.
        let until = when.text(after: "for")
        if when.text(after: "until", "for") == "off" {
            parameters.off = true
        } else if !when.isEmpty {
            parameters.until = until
            parameters.timeZone = session.zoneName
        }
        let reply = try session.daemon().call(Quiet.self, parameters)
        if try session.printJSON(reply) { return }
        if let end = reply.until {
            try Output.print(
                "Alerts are held back until \(session.words.moment(end)), \(session.words.distance(to: end))."
            )
        } else {
            try Output.print("Alerts are sent.")
        }
        if let note = reply.note { session.printNote(note) }
    }
}
