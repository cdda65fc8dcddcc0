internal import CivilTime
internal import TodoAPI
internal import Varlink

/// The `alerts` command, for example `todoctl alerts --since yesterday`.
struct AlertsCommand: Command {
    static let verb = "alerts"
    static let summary = "Show the alerts that were sent, from the journal"
    static let details = "With --json, each alert is one line. A note about TIME is a line before them."
    static let examples = ["todoctl alerts --since yesterday"]

    private var listing = JournalListing(of: "alerts")

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let matches = AlertEntry.messageIDs.map { "MESSAGE_ID=\($0)" }
        let count = try listing.print(matching: matches, for: Self.self, session) {
            journal throws(ClientError) in
            if session.wantsJSON {
                try Output.printJSON(json(journal, session))
            } else {
                try Output.print(line(journal, session))
            }
        }
        if count == 0, !session.wantsJSON {
            try Output.print(
                listing.since.map { "No alerts were sent since \($0.oneLine())." }
                    ?? "No alerts were sent yet.")
        }
    }

    /// Returns a line such as `Fri 20 Nov 16:55     3  Pay the rent is due in 5 min (today 17:00)`.
    private func line(_ journal: JournalReader, _ session: Session) -> String {
        let id = journal[AlertEntry.itemID] ?? ""
        let number = String(repeating: " ", count: max(0, 5 - id.utf8.count)) + id.oneLine(bytesLimit: 20)
        return session.words.moment(journal.time) + "  " + number + "  "
            + (journal[AlertEntry.message] ?? "").oneLine()
    }

    private func json(_ journal: JournalReader, _ session: Session) -> JSONWriter {
        var writer = JSONWriter()
        writer.object { object in
            object.name("time")
            object.value(RFC3339.text(journal.time, in: session.zone) ?? "")
            for (name, field) in AlertEntry.jsonNames {
                guard let text = journal[field] else { continue }
                object.name(name)
                if let number = Int64(text), field == AlertEntry.itemID {
                    object.value(number)
                } else {
                    object.value(text)
                }
            }
        }
        return writer
    }
}
