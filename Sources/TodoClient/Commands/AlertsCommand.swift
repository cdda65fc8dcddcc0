internal import CivilTime
internal import TodoAPI
internal import Varlink

/// `todoctl alerts --since yesterday`
enum AlertsCommand: Command {
    static let verb = "alerts"
    static let synopsis = "alerts [--since TIME] [--lines N] [--follow]"
    static let summary = "Show the alerts that were given, from the journal"
    static let details = """
          --since TIME   those from then on: 2h, today, yesterday, 2026-11-20, "2026-11-20 17:00"
          --lines N      the last N; without --since and --lines the last 20
          --follow       go on with those to come, until Ctrl-C

        With --json each alert is one line.

        Example: todoctl alerts --since yesterday
        """

    private static let usualLines = 20

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError) {
        var arguments = arguments
        let follows = arguments.flag("--follow", "-f")
        let since = try arguments.value("--since", "-S")
        let lines = try arguments.value("--lines", "-n")
        try arguments.finish()
        let begin = try since.map { text throws(ClientError) in try moment(text, arguments, session) }
        let count = try lines.map { text throws(ClientError) in try number(text, arguments) }

        let journal = try JournalReader(matching: AlertEntry.messageIDs.map { "MESSAGE_ID=\($0)" })
        if let begin, count == nil {
            journal.seek(to: begin)
        } else {
            journal.seek(toLast: count ?? usualLines)
        }
        var isEmpty = true
        while true {
            while try journal.next() {
                if let begin, journal.time < begin { continue }
                isEmpty = false
                Output.print(session.wantsJSON ? json(journal, session) : line(journal, session))
            }
            guard follows, try journal.wait() else { break }
        }
        if isEmpty, !session.wantsJSON {
            Output.print(
                since.map { "No alert was given since \($0.oneLine())." } ?? "No alert was given yet.")
        }
    }

    private static func moment(
        _ text: String, _ arguments: Arguments, _ session: Session
    ) throws(ClientError) -> Timestamp {
        guard let moment = PastMoment.moment(text, now: session.now, zone: session.zone) else {
            throw arguments.usage(
                "'\(text.oneLine(bytesLimit: 80))' is no time such as 2h, yesterday or 2026-11-20")
        }
        return moment
    }

    private static func number(_ text: String, _ arguments: Arguments) throws(ClientError) -> Int {
        guard let count = Int(text), (1...1_000_000).contains(count) else {
            throw arguments.usage("--lines takes a number from 1 to 1000000")
        }
        return count
    }

    /// `Fri 20 Nov 16:55     3  Pay the rent is due in 5 min (today 17:00)`.
    private static func line(_ journal: JournalReader, _ session: Session) -> String {
        let id = journal[AlertEntry.itemID] ?? ""
        let number = String(repeating: " ", count: max(0, 5 - id.utf8.count)) + id.oneLine(bytesLimit: 20)
        return session.words.moment(journal.time) + "  " + number + "  "
            + (journal[AlertEntry.message] ?? "").oneLine()
    }

    private static func json(_ journal: JournalReader, _ session: Session) -> String {
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
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
