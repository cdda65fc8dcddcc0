internal import CivilTime
internal import TodoAPI
internal import Varlink

/// A command of `todoctl`.
///
/// `code` declares each option and operand once: its form in the help, the kind of its value, its variable, and a line
/// of help. Parsing, help, completion and the manual page use these declarations.
protocol Command {
    /// The words that the user types for the command: `add`, `category rename`.
    static var verb: String { get }
    /// Other words for the command, as other programs have them.
    static var aliases: [String] { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// One paragraph with further explanations. It may be empty.
    static var details: String { get }
    /// Command lines for a shell. A test runs each of them.
    static var examples: [String] { get }
    /// The treatment of the daemon's warnings to the user.
    static var warnings: WarningUse { get }

    init()

    /// Declares the options and operands, and reads their values if there is a command line.
    mutating func code(_ arguments: inout Arguments) throws(ClientError)
    /// Calls the daemon, and prints the result.
    func run(_ session: Session) throws(ClientError)
}

extension Command {
    static var aliases: [String] { [] }
    static var details: String { "" }
    static var warnings: WarningUse { .printed }

    mutating func code(_ arguments: inout Arguments) {}

    /// The options and operands of the command, without values.
    static var declared: Arguments {
        Arguments.declared { arguments throws(ClientError) in
            var command = Self()
            try command.code(&arguments)
        }
    }

    /// Returns a usage error with a hint to the help of the command.
    static func usage(_ message: String) -> ClientError { .usage(message, verb: verb) }
}

extension Session {
    /// Prints a reply as JSON if `--json` is set, and returns whether it did.
    func printJSON(_ reply: some MessageBody) throws(ClientError) -> Bool {
        guard wantsJSON else { return false }
        var writer = JSONWriter()
        writer.object { object in
            FieldWriter.write(reply, to: &object, zone: zone)
            if let note = notes.take() {
                object.name("note")
                object.value(note)
            }
        }
        try Output.printJSON(writer)
        return true
    }

    /// Prints a note about the daemon's interpretation of a text on standard error.
    func printNote(_ note: String) { Output.printError("Note: \(note.oneLine())") }

    /// Adds a note about the daemon's interpretation of a text. It is printed after the reply, or is part of its JSON.
    func addNote(_ note: String?) {
        if let note { notes.add(note) }
    }

    /// Returns the items of a list, and adds the note about the times in its filter, if the reply has one.
    func items<M: Method>(
        of method: M.Type, _ parameters: M.Parameters, _ daemon: Daemon
    ) throws(ClientError) -> [Item] where M.Reply == ListItems.Reply {
        var items: [Item] = []
        try daemon.stream(method, parameters) { reply in
            items += reply.items
            addNote(reply.note)
        }
        return items
    }

    /// Returns `3  Pay the rent  (tomorrow Sat 21 Nov 09:00, in 16 h; every month)`, with `details` after the times.
    func line(for item: Item, adding details: [String] = []) -> String {
        let times = [
            item.due.map { words.momentWithDistance($0) }, item.due == nil ? nil : item.repetition,
            item.laterStart(after: now, in: zone).map { "starts \(words.shortMoment($0))" },
            // An alert of an item with a due time follows from it, or was typed beside it.
            item.due == nil ? item.nextAlert.map { "alert \(words.shortMoment($0))" } : nil,
        ].compactMap(\.self)
        let parts = (item.completed ? [] : times) + details
        return parts.isEmpty ? head(of: item) : "\(head(of: item))  (\(parts.joined(separator: "; ")))"
    }

    /// Returns a line for an item after an occurrence was completed or skipped.
    ///
    ///     3  Pay the rent  (next Tue 1 Dec 09:00, in 11 days)
    func nextTime(of item: Item) -> String {
        guard item.recurrence != nil else { return head(of: item) }
        guard let due = item.due, !item.completed else { return "\(head(of: item))  (for the last time)" }
        return "\(head(of: item))  (next \(words.momentWithDistance(due)))"
    }

    private func head(of item: Item) -> String { "\(item.id)  \(item.name.oneLine())" }
}

extension Item {
    /// The start if it is in the future. Lists omit the item until then.
    func laterStart(after now: Timestamp, in zone: TimeZoneRules) -> CalendarTime? {
        start.flatMap { $0.firstMoment(in: zone) > now ? $0 : nil }
    }

    /// The repetition in words, or `nil` for an item that does not repeat.
    ///
    /// In a list, items have no `afterDone`, so their repetition does not include it.
    var repetition: String? {
        every.map { afterDone == true ? "\($0), counted from when it is done" : $0 }
    }
}
