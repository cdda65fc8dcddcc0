internal import CivilTime
internal import TodoAPI
internal import Varlink

/// One verb of `todoctl`.
protocol Command {
    static var verb: String { get }
    /// What is typed, without the program's name: `done ID...`.
    static var synopsis: String { get }
    /// One line for the list of commands.
    static var summary: String { get }
    /// What `--help` prints below the usage line and the summary: options, and an example.
    static var details: String { get }

    static func run(_ arguments: Arguments, _ session: Session) throws(ClientError)
}

extension Command {
    static var help: String {
        "Usage: todoctl \(synopsis)\n\n\(summary).\n\n\(details)"
    }
}

extension Session {
    /// Prints an answer as JSON when that is wanted; says whether it did.
    func printJSON(_ reply: some MessageBody) -> Bool {
        guard wantsJSON else { return false }
        var writer = JSONWriter()
        writer.object { FieldWriter.write(reply, to: &$0, zone: zone) }
        Output.print(String(decoding: writer.bytes, as: UTF8.self))
        return true
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
