internal import TodoAPI

/// What `--help` prints, made from what the commands declare.
enum Help {
    /// So wide that it reads well on any terminal.
    private static let columns = 80

    // MARK: - All of it

    static var overview: String {
        """
        Usage: todoctl [OPTION]... [COMMAND] ...

        Edits the to-do items of the daemon todod, which tells you when one is about to
        fall due. Without a command it shows what is overdue or falls due soon.

        \(list(Todoctl.commands.map { (synopsis(of: $0), $0.summary) }))

        Options for every command:
        \(list(options(GlobalOptions.declared)))

        Exit status: 0 done, 1 refused, 2 wrong usage, 3 no daemon to talk to.
        """
    }

    /// The commands whose verbs begin with the same word.
    static func text(forGroup word: String, _ commands: [any Command.Type]) -> String {
        """
        Usage: todoctl \(word) COMMAND ...

        \(list(commands.map { (synopsis(of: $0), $0.summary) }))

        Without a command: \(commands[0].verb). 'todoctl \(word) COMMAND --help' tells more.
        """
    }

    // MARK: - One command

    static func text(for command: any Command.Type) -> String {
        let declared = command.declared
        let usage =
            "Usage: todoctl " + synopsis(of: command) + (declared.options.isEmpty ? "" : " [OPTION]...")
        let parts = [
            usage, wrapped(command.summary + ".", indent: 0), list(options(declared)),
            wrapped(command.details, indent: 0),
            examples(command.examples),
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// `done ID...`
    static func synopsis(of command: any Command.Type) -> String {
        ([command.verb] + command.declared.operands.map(\.usage)).joined(separator: " ")
    }

    private static func examples(_ lines: [String]) -> String {
        lines.count == 1
            ? "Example: \(lines[0])" : (["Examples:"] + lines.map { "  " + $0 }).joined(separator: "\n")
    }

    // MARK: - Layout

    private static func options(_ arguments: Arguments) -> [(String, String)] {
        arguments.options.map { option in
            // Long names stand below each other.
            (option.usage.hasPrefix("--") ? "    " + option.usage : option.usage, option.help)
        }
    }

    private static func list(_ entries: [(name: String, text: String)]) -> String {
        let width = (entries.map { $0.name.count }.max() ?? 0) + 4
        return entries.map { entry in
            "  " + entry.name.padded(to: width - 2) + wrapped(entry.text, indent: width)
        }.joined(separator: "\n")
    }

    /// Breaks a text between words; all lines but the first begin with spaces.
    private static func wrapped(_ text: String, indent: Int) -> String {
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
