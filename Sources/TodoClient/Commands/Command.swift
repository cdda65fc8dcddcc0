internal import CivilTime
internal import TodoAPI
internal import Varlink

/// One verb of `todoctl`.
///
/// What it takes is declared once, in `code`: each option and operand as the help shows it, the kind of its value, the
/// variable it goes to, and one line of help. Everything that tells of the command is made from that.
protocol Command {
    /// What is typed: `add`, `category rename`.
    static var verb: String { get }
    /// Other words for it, as other programs have them.
    static var aliases: [String] { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What else there is to know, in one paragraph; may be empty.
    static var details: String { get }
    /// Lines for a shell; a test runs each.
    static var examples: [String] { get }
    /// What becomes of the warnings that the daemon has for the user.
    static var warnings: WarningUse { get }

    init()

    mutating func code(_ arguments: inout Arguments) throws(ClientError)
    func run(_ session: Session) throws(ClientError)
}

extension Command {
    static var aliases: [String] { [] }
    static var details: String { "" }
    static var warnings: WarningUse { .printed }

    mutating func code(_ arguments: inout Arguments) {}

    static var declared: Arguments {
        Arguments.declared { arguments throws(ClientError) in
            var command = Self()
            try command.code(&arguments)
        }
    }

    static func usage(_ message: String) -> ClientError { .usage(message, verb: verb) }
}

extension Session {
    /// Prints an answer as JSON when that is wanted; says whether it did.
    func printJSON(_ reply: some MessageBody) throws(ClientError) -> Bool {
        guard wantsJSON else { return false }
        var writer = JSONWriter()
        writer.object { FieldWriter.write(reply, to: &$0, zone: zone) }
        try Output.printJSON(writer)
        return true
    }

    /// Prints how a text was understood, beside the answer itself.
    func printNote(_ note: String) { Output.printError("Note: \(note.oneLine())") }

    /// The items of a list. Prints the note about its times, if there is one.
    func items<M: Method>(
        of method: M.Type, _ parameters: M.Parameters, _ daemon: Daemon
    ) throws(ClientError) -> [Item] where M.Reply == ListItems.Reply {
        var items: [Item] = []
        try daemon.stream(method, parameters) { reply in
            items += reply.items
            if let note = reply.note { printNote(note) }
        }
        return items
    }

    /// `3  Pay the rent  (tomorrow Sat 21 Nov 09:00, in 16 h; every month)`.
    func line(for item: Item) -> String {
        guard let due = item.due, !item.completed else { return head(of: item) }
        let rule = item.repetition.map { "; \($0)" } ?? ""
        return "\(head(of: item))  (\(words.moment(due)), \(words.distance(to: due))\(rule))"
    }

    /// What became of an item of which one time is over: `3  Pay the rent  (comes again Tue 1 Dec 09:00, in 11 days)`.
    func nextTime(of item: Item) -> String {
        guard item.recurrence != nil else { return head(of: item) }
        guard let due = item.due, !item.completed else { return "\(head(of: item))  (for the last time)" }
        return "\(head(of: item))  (comes again \(words.moment(due)), \(words.distance(to: due)))"
    }

    private func head(of item: Item) -> String { "\(item.id)  \(item.name.oneLine())" }
}

extension Item {
    /// How it comes again, in words; nil for an item that comes once. Lists do not know from when it is counted.
    var repetition: String? {
        every.map { afterDone == true ? "\($0), counted from when it is done" : $0 }
    }
}
