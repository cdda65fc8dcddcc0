internal import CivilTime
internal import Phrases
internal import TodoAPI
internal import Varlink

/// The `alerts` command, for example `todoctl alerts --since yesterday`.
struct AlertsCommand: Command {
    static let verb = "alerts"
    static let summary = "Show the alerts that were sent, from the journal"
    static let details = "With --json, each alert is one line. A note about TIME is a line before them."
    static let examples = ["todoctl alerts --since yesterday"]

    private static let usualLines = 20
    private static let linesLimit: Int64 = 1_000_000

    private var since: String?
    private var lines: Int64?
    private var follows = false

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        arguments.option(
            "-S, --since TIME", &since,
            help: #"show alerts since TIME: 2h, today, yesterday, friday, "20 nov 17:00""#)
        try arguments.option(
            "-n, --lines NUMBER", &lines,
            help: "show the last NUMBER alerts; the default without --since is 20")
        arguments.flag("-f, --follow", &follows, help: "continue with new alerts until Ctrl-C")
    }

    func run(_ session: Session) throws(ClientError) {
        if let lines, !(1...Self.linesLimit).contains(lines) {
            throw Self.usage("--lines takes a number from 1 to \(Self.linesLimit)")
        }
        let count = lines.map(Int.init)
        let begin = try since.map { text throws(ClientError) in try moment(text, session) }

        let journal = try JournalReader(matching: AlertEntry.messageIDs.map { "MESSAGE_ID=\($0)" })
        if let begin, count == nil {
            journal.seek(to: begin)
        } else {
            journal.seek(toLast: count ?? Self.usualLines)
        }
        var isEmpty = true
        while true {
            while try journal.next() {
                if let begin, journal.time < begin { continue }
                isEmpty = false
                if session.wantsJSON {
                    try Output.printJSON(json(journal, session))
                } else {
                    try Output.print(line(journal, session))
                }
            }
            guard follows, try journal.wait() else { break }
        }
        if isEmpty, !session.wantsJSON {
            try Output.print(
                since.map { "No alerts were sent since \($0.oneLine())." } ?? "No alerts were sent yet.")
        }
    }

    private func moment(_ text: String, _ session: Session) throws(ClientError) -> Timestamp {
        let reading: DatePhrase.Reading
        do throws(DatePhraseError) {
            reading = try DatePhrase.reading(
                text, now: session.now, zone: session.zone, defaultTime: 0, purpose: .past)
        } catch {
            throw Self.usage(
                "cannot read the time '\(text.oneLine(bytesLimit: 80))': \(error.description.oneLine())")
        }
        guard let note = reading.note else { return reading.moment }
        if session.wantsJSON {
            var writer = JSONWriter()
            writer.object { object in
                object.name("note")
                object.value(note)
            }
            try Output.printJSON(writer)
        } else {
            session.printNote(note)
        }
        return reading.moment
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
