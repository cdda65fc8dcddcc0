internal import TodoAPI

/// Words in a name that are options in other programs: `due:tomorrow`, `project:home`, `pri:H`, `+shop`, `@errands`.
struct TypedOptions {
    private static let names = [
        "cat": "--category", "category": "--category", "due": "--due", "list": "--category",
        "pri": "--priority",
        "prio": "--priority", "priority": "--priority", "pro": "--category", "proj": "--category",
        "project": "--category", "rec": "--every", "recur": "--every",
    ]
    private static let priorities = [
        "a": "high", "b": "medium", "c": "low", "h": "high", "m": "medium", "l": "low",
    ]
    /// The length of the longest name that the hint repeats.
    private static let nameBytesLimit = 200
    /// The maximum number of commands in a hint.
    private static let choicesLimit = 5

    /// A word of the name, and the option and value that it means.
    private struct Word {
        let text: Substring
        let name: String
        let value: String

        var isCategory: Bool { name == "--category" }
    }

    private let words: [Substring]
    /// The first word for each option, and the first word for each category, with their positions in `words`.
    private var typed: [(index: Int, word: Word)] = []

    /// Finds the words in a name, or returns `nil` if it has none.
    init?(in name: String) {
        words = name.split(whereSeparator: \.isWhitespace)
        for (index, text) in words.enumerated() {
            guard let (name, value) = Self.option(text) else { continue }
            let word = Word(text: text, name: name, value: value)
            // An item has one due time, priority and rule.
            let isTaken = typed.contains {
                $0.word.name == name
                    && (!word.isCategory || $0.word.value.lowercased() == value.lowercased())
            }
            if !isTaken { typed.append((index, word)) }
        }
        if typed.isEmpty { return nil }
    }

    private static func option(_ word: Substring) -> (name: String, value: String)? {
        if word.hasPrefix("+") || word.hasPrefix("@") {
            let tag = word.dropFirst()
            return tag.first?.isLetter == true ? ("--category", String(tag)) : nil
        }
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = names[parts[0].lowercased()] else { return nil }
        let value = String(parts[1])
        return (name, name == "--priority" ? priorities[value.lowercased()] ?? value : value)
    }

    /// The categories in the name.
    var categories: [String] { typed.filter(\.word.isCategory).map(\.word.value) }

    /// Returns a hint with the command that applies the words as options.
    ///
    /// For several categories, it has one command for each.
    func hint(for id: Int64, knownCategories: [String]) -> String {
        let others = typed.filter { !$0.word.isCategory }
        let choices = typed.filter(\.word.isCategory)
        guard choices.count > 1 else {
            let text = typed.map(\.word.text).joined(separator: " ").oneLine(bytesLimit: 80)
            return
                "The whole text is the name. If '\(text)' is not part of it:  \(command(id, typed, knownCategories))"
        }
        let commands = choices.prefix(Self.choicesLimit).map { choice in
            let used = (others + [choice]).sorted { $0.index < $1.index }
            return "\n  " + command(id, used, knownCategories)
        }
        return "The whole text is the name. An item has one category. To choose it, run one of:"
            + commands.joined()
    }

    /// Returns the command that turns the words in `used` into options. The other words stay in the name.
    private func command(
        _ id: Int64, _ used: [(index: Int, word: Word)], _ knownCategories: [String]
    ) -> String {
        let indices = Set(used.map(\.index))
        let name = words.indices.filter { !indices.contains($0) }.map { words[$0] }.joined(separator: " ")
        let isTyped = !name.isEmpty && name.oneLine(bytesLimit: Self.nameBytesLimit) == name
        let isNew = used.contains { _, word in
            word.isCategory && !knownCategories.contains { $0.lowercased() == word.value.lowercased() }
        }
        let parts =
            (isTyped ? ["--name \(ShellWord.quoted(name))"] : [])
            + used.map { "\($0.word.name) \(ShellWord.quoted($0.word.value))" }
            + (isNew ? ["--new-category"] : [])
        return "todoctl edit \(id) \(parts.joined(separator: " "))"
    }
}
