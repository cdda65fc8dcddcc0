internal import TodoAPI

/// An option of a command, as its help shows it: `-d, --due WHEN`.
struct Option {
    /// As they are typed, short ones first: `-d`, `--due`.
    let names: [String]
    /// What stands for the value, such as `WHEN`; nil for a flag, which has none.
    let placeholder: String?
    let kind: ValueKind
    let help: String

    /// `usage` is what the help shows.
    init(_ usage: String, _ kind: ValueKind, _ help: String) {
        let words = usage.split { $0 == " " || $0 == "," }.map(String.init)
        names = words.filter { $0.hasPrefix("-") }
        placeholder = words.first { !$0.hasPrefix("-") }
        self.kind = kind
        self.help = help
    }

    /// The options with a long name that begins so.
    static func beginning(with name: String, among options: [Option]) -> [Option] {
        guard name.hasPrefix("--"), name.count > 2 else { return [] }
        return options.filter { $0.names.contains { $0.hasPrefix(name) } }
    }

    /// The name by which messages and scripts call it.
    var name: String { names.last ?? "" }

    /// `-d, --due WHEN`.
    var usage: String { names.joined(separator: ", ") + (placeholder.map { " " + $0 } ?? "") }
}

/// A word of a command that is no option: `ID...`, `[WHEN]`.
struct Operand {
    /// As the help shows it: brackets mean that it may be left out, dots that there may be several.
    let usage: String
    let kind: ValueKind

    var isRepeated: Bool { usage.hasSuffix("...") || usage.hasSuffix("...]") }
}

/// What a value names, so that completion can offer some.
enum ValueKind: Equatable {
    case text, category, file
    case item(ListItems.State)
    /// One of these words.
    case choice([String])
    /// Some of these words and others, with commas between them.
    case list([String])

    /// Whether the value names something that is there, so that it cannot be empty.
    var namesThing: Bool {
        switch self {
        case .category, .file, .item: true
        case .text, .choice, .list: false
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }
}
