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

    /// `3  Pay the rent  (tomorrow Sat 21 Nov 09:00, in 16 h)`.
    func line(for item: Item) -> String {
        var line = "\(item.id)  \(item.name.oneLine())"
        if let due = item.due, !item.completed {
            line += "  (\(words.moment(due)), \(words.distance(to: due)))"
        }
        return line
    }
}
