/// A word in the text of a new item that sets a property: `+errand`, `#errand`, `@home`, `p1`, `!1`, `due:tomorrow`,
/// `project:home`, `pri:H`.
package struct NameOption: Equatable {
    /// The property of the item.
    package enum Kind: String, CaseIterable, Sendable {
        case due, start, every, category, tag, priority
    }

    /// The words before a colon, most of them from other programs.
    private static let kinds: [String: Kind] = [
        "cat": .category, "category": .category, "due": .due, "list": .category, "pri": .priority,
        "prio": .priority, "priority": .priority, "pro": .category, "proj": .category, "project": .category,
        "rec": .every, "recur": .every, "start": .start, "tag": .tag, "tags": .tag, "wait": .start,
    ]
    private static let priorities = [
        "a": "1", "b": "5", "c": "9", "h": "1", "m": "5", "l": "9", "high": "1", "medium": "5", "low": "9",
    ]

    package let kind: Kind
    /// The value of the option, without its sign: `errand`. A priority is a number.
    package let value: String
    /// Whether the word also has other meanings, so that it counts only at the end of the text: `p1` and `!1`.
    package let isOnlyAtEnd: Bool

    /// Creates the option that the word is, or returns `nil` for other words.
    ///
    /// After a sign, only a letter and then letters, digits, `-` and `_` count. `+1`, `C++`, `@types/node` and `#tag,` are
    /// text.
    package init?(_ word: some StringProtocol) {
        guard let sign = word.first else { return nil }
        let rest = word.dropFirst()
        isOnlyAtEnd = ["p", "P", "!"].contains(sign) && rest.count == 1
        if isOnlyAtEnd {
            guard let digit = rest.first, ("1"..."9").contains(digit) else { return nil }
            (kind, value) = (.priority, String(digit))
            return
        }
        if let kind: Kind = ["+": .tag, "#": .tag, "@": .category][sign] {
            guard rest.first?.isLetter == true,
                rest.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
            else { return nil }
            (self.kind, value) = (kind, String(rest))
            return
        }
        let parts = word.split(separator: ":", maxSplits: 1)
        guard parts.count == 2, let kind = Self.kinds[parts[0].lowercased()] else { return nil }
        self.kind = kind
        guard kind == .priority else {
            value = String(parts[1])
            return
        }
        let level = parts[1].lowercased()
        guard let number = Self.priorities[level] ?? (1...9).map(String.init).first(where: { $0 == level })
        else { return nil }
        value = number
    }
}
