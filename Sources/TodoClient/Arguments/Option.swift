internal import TodoAPI

/// An option of a command, as its help shows it: `-d, --due WHEN`.
struct Option {
    /// The names as the user types them, short names first: `-d`, `--due`.
    let names: [String]
    /// The placeholder for the value, such as `WHEN`, or `nil` for a flag.
    let placeholder: String?
    let kind: ValueKind
    let help: String

    /// Parses `usage`, the text that the help shows.
    init(_ usage: String, kind: ValueKind, help: String) {
        let words = usage.split { $0 == " " || $0 == "," }.map(String.init)
        names = words.filter { $0.hasPrefix("-") }
        placeholder = words.first { !$0.hasPrefix("-") }
        self.kind = kind
        self.help = help
    }

    /// Returns the options with a long name that begins with `name`.
    static func beginning(with name: String, among options: [Option]) -> [Option] {
        guard name.hasPrefix("--"), name.count > 2 else { return [] }
        return options.filter { $0.names.contains { $0.hasPrefix(name) } }
    }

    /// The name in messages and in parsed values.
    var name: String { names.last ?? "" }

    /// The text that the help shows, such as `-d, --due WHEN`.
    var usage: String { names.joined(separator: ", ") + (placeholder.map { " " + $0 } ?? "") }
}

/// An argument of a command that is not an option: `ID...`, `[WHEN]`.
struct Operand {
    /// The text that the help shows. Brackets mean that the operand is optional, dots that it can be repeated.
    let usage: String
    let kind: ValueKind

    var isRepeated: Bool { usage.hasSuffix("...") || usage.hasSuffix("...]") }
}

/// The kind of a value, which determines the suggestions of completion.
enum ValueKind: Equatable {
    case text, category, tag, view, file
    /// The name of an account or a list that is synchronized, or the number of a conflict.
    case syncAccount, syncList, conflict
    /// Names of tags with commas between them.
    case tags
    /// A text of any characters. The option may be repeated.
    case texts
    case item(ListItems.State)
    /// Numbers of items with commas between them.
    case items
    /// One of these words.
    case choice([String])
    /// Several values with commas between them, such as these words.
    case list([String])

    /// Whether the value names an existing thing and therefore cannot be empty.
    var namesThing: Bool {
        switch self {
        case .category, .tag, .view, .file, .item, .syncAccount, .syncList, .conflict: true
        case .text, .choice, .list, .tags, .texts, .items: false
        }
    }

    /// The text between the values of an option that is repeated, or `nil` if it cannot be.
    var separator: String? {
        switch self {
        case .list, .tags, .items: ","
        case .texts: "\n"
        case .text, .category, .tag, .view, .file, .item, .choice, .syncAccount, .syncList, .conflict: nil
        }
    }
}
