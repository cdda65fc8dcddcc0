internal import CivilTime
internal import Glibc
internal import TodoAPI

/// The program `todoctl`: a command line in, a call to the daemon, its answer out.
package enum Todoctl {
    /// Every verb, in the order in which the help shows them.
    static var commands: [any Command.Type] {
        [
            AddCommand.self, ListCommand.self, DueCommand.self, ShowCommand.self, DoneCommand.self,
            ReopenCommand.self, EditCommand.self, SnoozeCommand.self, MuteCommand.self, UnmuteCommand.self,
            DeleteCommand.self, UndoCommand.self, RedoCommand.self, CategoryCommand.self, QuietCommand.self,
            EvaluateCommand.self,
            AlertsCommand.self, WatchCommand.self, StatusCommand.self, BackupCommand.self,
            ExportCommand.self, ImportCommand.self,
        ]
    }

    /// Carries out one command line, without the program's name, and returns the exit status.
    package static func run(_ words: [String]) -> Int32 {
        // Character widths are those of UTF-8, whatever the user's language is.
        setlocale(LC_CTYPE, "C.UTF-8")
        do throws(ClientError) {
            try carryOut(words)
            return 0
        } catch {
            Output.printError(error.message)
            return error.exitStatus
        }
    }

    private static func carryOut(_ words: [String]) throws(ClientError) {
        var words = words
        let global = try GlobalOptions(takingFrom: &words)
        guard let verb = words.first else {
            if global.wantsHelp { return Output.print(help) }
            throw .usage("todoctl: what shall be done?", hint: help)
        }
        if verb == "help" || verb == "--help" || verb == "-h" { return Output.print(help) }
        if verb == "--version" || verb == "-V" { return Output.print("todoctl \(tododVersion)") }
        guard let command = commands.first(where: { $0.verb == verb }) else { throw unknown(verb) }
        if global.wantsHelp { return Output.print(command.help) }
        let session = Session(socketPath: global.socketPath, wantsJSON: global.wantsJSON)
        try command.run(Arguments(Array(words.dropFirst()), verb: verb), session)
    }

    private static func unknown(_ verb: String) -> ClientError {
        if verb.hasPrefix("-") {
            return .usage("todoctl: there is no option '\(verb)'", hint: "Type 'todoctl --help' for a list.")
        }
        let near = EditDistance.nearest(to: verb, among: commands.map { $0.verb })
        let suggestion = near.map { "Did you mean 'todoctl \($0)'? " } ?? ""
        return .usage(
            "todoctl: there is no command '\(verb.oneLine(bytesLimit: 80))'",
            hint: suggestion + "Type 'todoctl --help' for a list.")
    }

    private static var help: String {
        let width = (commands.map { $0.synopsis.count }.max() ?? 0) + 2
        let lines = commands.map { command in
            "  " + command.synopsis.padded(to: width) + command.summary
        }
        return """
            Usage: todoctl [OPTION]... COMMAND ...

            Edits the to-do items of the daemon todod, which tells you in the journal when one is about to fall due.

            \(lines.joined(separator: "\n"))

            Options for every command:
              --json         print the daemon's answer as JSON
              --socket PATH  talk to the daemon at PATH
              --help         explain the command
              --version      print the version

            Exit status: 0 done, 1 refused by the daemon, 2 wrong usage, 3 no daemon to talk to.
            """
    }
}

/// The options that stand before or behind any verb.
private struct GlobalOptions {
    var socketPath = UserDirectories().socket
    var wantsJSON = false
    var wantsHelp = false

    /// Takes them out of `words`, as far as a `--`.
    init(takingFrom words: inout [String]) throws(ClientError) {
        var rest: [String] = []
        var index = 0
        while index < words.count, words[index] != "--" {
            switch words[index] {
            case "--json": wantsJSON = true
            case "--help", "-h": wantsHelp = true
            case "--socket":
                guard index + 1 < words.count else {
                    throw .usage("todoctl: --socket needs a path", hint: "Type 'todoctl --help' for a list.")
                }
                index += 1
                socketPath = words[index]
            case let word where word.hasPrefix("--socket="): socketPath = String(word.dropFirst(9))
            default: rest.append(words[index])
            }
            index += 1
        }
        words = rest + words[index...]
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - displayWidth))
    }
}
