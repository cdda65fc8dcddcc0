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
    /// A longer name is not typed again.
    private static let nameBytesLimit = 200

    /// The words themselves, such as `due:tomorrow`.
    private var words: [Substring] = []
    /// The names and values of the options they stand for.
    private var options: [(name: String, value: String)] = []
    private var rest: [Substring] = []

    /// `nil` if there are none in the name.
    init?(in name: String) {
        for word in name.split(whereSeparator: \.isWhitespace) {
            // An item has one category, due time, priority and rule.
            if let option = Self.option(word), !options.contains(where: { $0.name == option.name }) {
                words.append(word)
                options.append(option)
            } else {
                rest.append(word)
            }
        }
        if options.isEmpty { return nil }
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

    /// The category that one of them names.
    var category: String? { options.first { $0.name == "--category" }?.value }

    /// The command that sets what they say.
    ///
    /// - Parameter withNewCategory: whether it creates the category.
    func hint(for id: Int64, withNewCategory: Bool) -> String {
        let name = rest.joined(separator: " ")
        let isTyped = !name.isEmpty && name.oneLine(bytesLimit: Self.nameBytesLimit) == name
        let parts =
            (isTyped ? ["--name \(ShellWord.quoted(name))"] : [])
            + options.map { "\($0.name) \(ShellWord.quoted($0.value))" }
            + (withNewCategory ? ["--new-category"] : [])
        let typed = words.joined(separator: " ").oneLine(bytesLimit: 80)
        return
            "All of it is the name. If '\(typed)' is not:  todoctl edit \(id) \(parts.joined(separator: " "))"
    }
}
