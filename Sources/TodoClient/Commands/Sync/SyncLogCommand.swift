internal import CivilTime
internal import TodoAPI
internal import Varlink

/// The `sync log` command, for example `todoctl sync log --since yesterday`.
struct SyncLogCommand: Command {
    static let verb = "sync log"
    static let summary = "Show what todod-sync has written to the journal"
    static let details = "With --json, each entry is one line. A note about TIME is a line before them."
    static let examples = ["todoctl sync log --since yesterday", "todoctl sync log -n 50"]

    private static let message = "MESSAGE"
    private static let priority = "PRIORITY"

    private var listing = JournalListing(of: "entries")

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try listing.code(&arguments)
    }

    func run(_ session: Session) throws(ClientError) {
        let matches = ["SYSLOG_IDENTIFIER=\(ServiceProgram.sync.rawValue)"]
        let count = try listing.print(matching: matches, for: Self.self, session) {
            journal throws(ClientError) in
            if session.wantsJSON {
                try Output.printJSON(json(journal, session))
            } else {
                let message = (journal[Self.message] ?? "").oneLine()
                try Output.print("\(session.words.moment(journal.time))  \(message)")
            }
        }
        if count == 0, !session.wantsJSON {
            try Output.print(
                listing.since.map { "todod-sync has written nothing since \($0.oneLine())." }
                    ?? "todod-sync has written nothing yet.")
        }
    }

    private func json(_ journal: JournalReader, _ session: Session) -> JSONWriter {
        var writer = JSONWriter()
        writer.object { object in
            object.name("time")
            object.value(RFC3339.text(journal.time, in: session.zone) ?? "")
            if let priority = journal[Self.priority].flatMap({ Int64($0) }) {
                object.name("priority")
                object.value(priority)
            }
            object.name("message")
            object.value(journal[Self.message] ?? "")
        }
        return writer
    }
}
