internal import CivilTime
internal import Phrases
internal import TodoAPI
internal import Varlink

/// The options of a command that prints entries of the journal, and the search for these entries.
struct JournalListing {
    private static let usualLines = 20
    private static let linesLimit: Int64 = 1_000_000

    /// The time from which entries are printed, as the user typed it.
    private(set) var since: String?
    private var lines: Int64?
    private var follows = false
    /// The word for the entries in help and messages, such as `alerts`.
    private let noun: String

    init(of noun: String) { self.noun = noun }

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        arguments.option(
            "-S, --since TIME", &since,
            help: #"show \#(noun) since TIME: 2h, today, yesterday, friday, "20 nov 17:00""#)
        try arguments.option(
            "-n, --lines NUMBER", &lines,
            help: "show the last NUMBER \(noun); the default without --since is 20")
        arguments.flag("-f, --follow", &follows, help: "continue with new \(noun) until Ctrl-C")
    }

    /// Passes each entry to `print`, oldest first, and returns their number.
    func print(
        matching matches: [String], for command: any Command.Type, _ session: Session,
        _ print: (JournalReader) throws(ClientError) -> Void
    ) throws(ClientError) -> Int {
        if let lines, !(1...Self.linesLimit).contains(lines) {
            throw command.usage("--lines takes a number from 1 to \(Self.linesLimit)")
        }
        let count = lines.map(Int.init)
        let begin = try since.map { text throws(ClientError) in try moment(text, command, session) }

        let journal = try JournalReader(matching: matches, of: noun)
        if let begin, count == nil {
            journal.seek(to: begin)
        } else {
            journal.seek(toLast: count ?? Self.usualLines)
        }
        var printed = 0
        while true {
            while try journal.next() {
                if let begin, journal.time < begin { continue }
                printed += 1
                try print(journal)
            }
            guard follows, try journal.wait() else { return printed }
        }
    }

    private func moment(
        _ text: String, _ command: any Command.Type, _ session: Session
    ) throws(ClientError) -> Timestamp {
        let reading: DatePhrase.Reading
        do throws(DatePhraseError) {
            reading = try DatePhrase.reading(
                text, now: session.now, zone: session.zone, defaultTime: 0, purpose: .past)
        } catch {
            throw command.usage(
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
}
