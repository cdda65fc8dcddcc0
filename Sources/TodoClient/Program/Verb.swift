internal import Phrases
internal import TodoAPI

/// The command at the beginning of a command line, with a verb of one word or two, as in `category add`.
struct Verb {
    let command: any Command.Type
    /// The number of words in the verb.
    let wordCount: Int
    /// Returns the help. Composing it takes longer than most commands take to start, so it is composed only on request.
    let help: () -> String

    /// Verbs of other programs, and the command that does the same.
    private static let synonyms = [
        "annotate": "edit", "change": "edit", "check": "done", "close": "done", "complete": "done",
        "create": "add",
        "do": "done", "erase": "delete", "find": "list", "finish": "done", "grep": "list", "info": "show",
        "log": "alerts", "ls": "list",
        "modify": "edit", "new": "add", "postpone": "snooze", "remove": "delete",
        "rm": "delete", "search": "list",
        "silence": "mute", "update": "edit",
    ]

    /// The commands of other programs for tasks that the daemon cannot do for itself.
    private static let elsewhere = [
        "reload": "systemctl --user reload todod.service",
        "restart": "systemctl --user restart todod.service",
        "restore": "todod --restore FILE",
        "start": "systemctl --user start todod.socket todod.service",
        "stop": "systemctl --user stop todod.socket todod.service",
    ]

    /// Finds the command that `words` name.
    ///
    /// Without words the command is `due`, so that `todoctl` alone shows the items that are due.
    ///
    /// - Throws: a usage error if there is no such command.
    init(in words: [String]) throws(ClientError) {
        guard let first = words.first else {
            self.init(DueItemsCommand.self, wordCount: 0, help: { Help().overview })
            return
        }
        let named = Todoctl.commands.first {
            words.starts(with: Self.words(of: $0)) || $0.aliases.contains(first)
        }
        if let named {
            self.init(named, wordCount: Self.words(of: named).count, help: { Help().text(for: named) })
            return
        }
        let group = Todoctl.commands.filter { Self.words(of: $0)[0] == first }
        guard let command = group.first else {
            throw Self.unknown(first, after: "", among: Todoctl.commands.map { Self.words(of: $0)[0] })
        }
        if words.count > 1, !words[1].hasPrefix("-") {
            throw Self.unknown(words[1], after: first, among: group.map { Self.words(of: $0)[1] })
        }
        self.init(command, wordCount: 1, help: { Help().text(forGroup: first, group) })
    }

    private init(_ command: any Command.Type, wordCount: Int, help: @escaping () -> String) {
        self.command = command
        self.wordCount = wordCount
        self.help = help
    }

    private static func words(of command: any Command.Type) -> [String] {
        command.verb.split(separator: " ").map(String.init)
    }

    private static func unknown(_ word: String, after group: String, among words: [String]) -> ClientError {
        let near =
            Self.synonyms[word].flatMap { words.contains($0) ? $0 : nil }
            ?? EditDistance.nearest(to: word, among: words)
        let subject = group.isEmpty ? "there is" : "'\(group)' has"
        let start = group.isEmpty ? "" : group + " "
        return .usage(
            "\(subject) no command '\(word.oneLine(bytesLimit: 80))'", verb: group,
            suggestion: elsewhere(word, group: group) ?? near.map { "Did you mean 'todoctl \(start)\($0)'? " }
                ?? "")
    }

    private static func elsewhere(_ word: String, group: String) -> String? {
        guard group.isEmpty, let command = elsewhere[word] else { return nil }
        return "That is '\(command)'. "
    }
}
