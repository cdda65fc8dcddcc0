internal import TodoAPI

/// The text of `--help`, composed from the declarations of the commands.
struct Help {
    /// The maximum width of the text, even on a wider terminal. Longer lines are hard to read.
    private static let mostColumns = 80
    /// The least width of a text that is printed beside the names.
    ///
    /// In a narrower column, most lines would have one word.
    private static let leastTextColumns = 24

    private let columns: Int

    init(for page: Output.Page = .standardOutput(.auto)) {
        columns = min(page.columns ?? Self.mostColumns, Self.mostColumns)
    }

    // MARK: - All of it

    var overview: String {
        let purpose =
            "Edits the to-do items of the daemon todod, which sends an alert before an item is due. "
            + "Without a command, it lists the items that are overdue or due soon."
        let statuses = "Exit status: 0 done, 1 refused, 2 wrong usage, 3 the daemon cannot be reached."
        return """
            Usage: todoctl [OPTION]... [COMMAND] ...

            \(wrapped(purpose, indent: 0))

            \(list(Todoctl.commands.map { (Self.synopsis(of: $0), $0.summary) }))

            Options for every command:
            \(list(options(GlobalOptions.declared)))

            \(wrapped(statuses, indent: 0))
            """
    }

    /// Returns the help for commands that begin with the same word, such as `category`.
    func text(forGroup word: String, _ commands: [any Command.Type]) -> String {
        let end = "The default is '\(commands[0].verb)'. For more, type 'todoctl \(word) COMMAND --help'."
        return """
            Usage: todoctl \(word) COMMAND ...

            \(list(commands.map { (Self.synopsis(of: $0), $0.summary) }))

            \(wrapped(end, indent: 0))
            """
    }

    // MARK: - One command

    func text(for command: any Command.Type) -> String {
        let declared = command.declared
        let usage =
            "Usage: todoctl " + Self.synopsis(of: command) + (declared.options.isEmpty ? "" : " [OPTION]...")
        let parts = [
            wrapped(usage, indent: 4), wrapped(command.summary + ".", indent: 0), list(options(declared)),
            wrapped(command.details, indent: 0), Self.aliases(of: command),
            Self.examples(command.examples),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// Returns the verb with its operands, such as `done ID...`.
    static func synopsis(of command: any Command.Type) -> String {
        ([command.verb] + command.declared.operands.map(\.usage)).joined(separator: " ")
    }

    /// Returns a line such as `Alias: ls.`
    private static func aliases(of command: any Command.Type) -> String {
        command.aliases.isEmpty ? "" : "Alias: \(command.aliases.joined(separator: ", "))."
    }

    /// Returns the examples without line breaks, so that they can be copied.
    private static func examples(_ lines: [String]) -> String {
        lines.count == 1
            ? "Example: \(lines[0])" : (["Examples:"] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    // MARK: - Layout

    private func options(_ arguments: Arguments) -> [(String, String)] {
        arguments.options.map { option in
            // Indent an option without a short name, so that the long names are aligned.
            (option.usage.hasPrefix("--") ? "    " + option.usage : option.usage, option.help)
        }
    }

    /// Returns the names with the texts beside them.
    ///
    /// If there is too little room, each text is below its name.
    private func list(_ entries: [(name: String, text: String)]) -> String {
        let width = (entries.map { $0.name.count }.max() ?? 0) + 4
        let isBeside = columns - width >= Self.leastTextColumns
        return entries.map { entry in
            isBeside
                ? "  " + entry.name.padded(to: width - 2) + wrapped(entry.text, indent: width)
                : "  \(entry.name)\n        " + wrapped(entry.text, indent: 8)
        }.joined(separator: "\n")
    }

    /// Breaks a text between words, and indents every line but the first.
    private func wrapped(_ text: String, indent: Int) -> String {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let line = lines.last, indent + line.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }
}
