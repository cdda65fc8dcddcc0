internal import TodoAPI

/// The `help` command, for example `todoctl help add`.
struct HelpCommand: Command {
    static let verb = "help"
    static let summary = "Explain a command, or list all commands"
    static let examples = ["todoctl help add"]

    private var words: [String] = []

    mutating func code(_ arguments: inout Arguments) throws(ClientError) {
        try arguments.words("[COMMAND]", &words, kind: .choice(Todoctl.commands.map { $0.verb }))
    }

    func run(_ session: Session) throws(ClientError) {
        try Output.print(Verb(in: words).help())
    }
}
