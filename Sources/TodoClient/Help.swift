internal import TodoAPI

/// What `--help` prints, made from what the commands declare.
struct Help {
    /// Longer lines are hard to read.
    private static let mostColumns = 80
    /// Beside a list of names, less is a column of single words.
    private static let leastTextColumns = 24

    private let columns: Int

    init(for page: Output.Page = .standardOutput(.auto)) {
        columns = min(page.columns ?? Self.mostColumns, Self.mostColumns)
    }

    // MARK: - All of it

    var overview: String {
        let purpose =
            "Edits the to-do items of the daemon todod, which tells you when one is about to fall due. "
            + "Without a command it shows what is overdue or falls due soon."
        let statuses = "Exit status: 0 done, 1 refused, 2 wrong usage, 3 no daemon to talk to."
        return """
            Usage: todoctl [OPTION]... [COMMAND] ...

            \(wrapped(purpose, indent: 0))

            \(list(Todoctl.commands.map { (Self.synopsis(of: $0), $0.summary) }))

            Options for every command:
            \(list(options(GlobalOptions.declared)))

            \(wrapped(statuses, indent: 0))
            """
    }

    /// The commands whose verbs begin with the same word.
    func text(forGroup word: String, _ commands: [any Command.Type]) -> String {
        let end = "Without a command: \(commands[0].verb). 'todoctl \(word) COMMAND --help' tells more."
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

    /// `done ID...`
    static func synopsis(of command: any Command.Type) -> String {
        ([command.verb] + command.declared.operands.map(\.usage)).joined(separator: " ")
    }

    /// `Alias: ls.`
    private static func aliases(of command: any Command.Type) -> String {
        command.aliases.isEmpty ? "" : "Alias: \(command.aliases.joined(separator: ", "))."
    }

    /// Lines to be copied, which are not broken.
    private static func examples(_ lines: [String]) -> String {
        lines.count == 1
            ? "Example: \(lines[0])" : (["Examples:"] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    // MARK: - Layout

    private func options(_ arguments: Arguments) -> [(String, String)] {
        arguments.options.map { option in
            // Long names stand below each other.
            (option.usage.hasPrefix("--") ? "    " + option.usage : option.usage, option.help)
        }
    }

    /// Texts beside the names, or below them where there is no room.
    private func list(_ entries: [(name: String, text: String)]) -> String {
        let width = (entries.map { $0.name.count }.max() ?? 0) + 4
        let isBeside = columns - width >= Self.leastTextColumns
        return entries.map { entry in
            isBeside
                ? "  " + entry.name.padded(to: width - 2) + wrapped(entry.text, indent: width)
                : "  \(entry.name)\n        " + wrapped(entry.text, indent: 8)
        }.joined(separator: "\n")
    }

    /// Breaks a text between words; all lines but the first begin with spaces.
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
