/// A word in a name that is an option in other programs: `due:tomorrow`, `project:home`, `pri:H`, `+shop`, `@errands`.
package struct NameOption {
    private static let names = [
        "cat": "--category", "category": "--category", "due": "--due", "list": "--category",
        "pri": "--priority",
        "prio": "--priority", "priority": "--priority", "pro": "--category", "proj": "--category",
        "project": "--category", "rec": "--every", "recur": "--every", "tag": "--tag",
        "tags": "--tag",
    ]
    private static let priorities = [
        "a": "high", "b": "medium", "c": "low", "h": "high", "m": "medium", "l": "low",
    ]

    /// The word as it was typed.
    package let text: Substring
    /// The option of `todoctl` that means the same.
    package let name: String
    package var value: String

    /// Creates the option that the word is, or returns `nil` for other words.
    package init?(_ word: Substring) {
        text = word
        if word.hasPrefix("+") || word.hasPrefix("@") {
            let tag = word.dropFirst()
            guard tag.first?.isLetter == true else { return nil }
            name = word.hasPrefix("+") ? "--tag" : "--category"
            value = String(tag)
            return
        }
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let name = Self.names[parts[0].lowercased()] else { return nil }
        let value = String(parts[1])
        self.name = name
        self.value = name == "--priority" ? Self.priorities[value.lowercased()] ?? value : value
    }

    /// Returns the name without such words, or the whole name if it has none.
    package static func removed(from name: String) -> String {
        // Most names have none of these, and a check of each word takes longer.
        guard
            name.utf8.contains(where: {
                [UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: ":")].contains($0)
            })
        else { return name }
        let words = name.split(whereSeparator: \.isWhitespace)
        let others = words.filter { NameOption($0) == nil }
        return others.count == words.count ? name : others.joined(separator: " ")
    }
}
