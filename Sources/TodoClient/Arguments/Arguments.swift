internal import Phrases
internal import TodoAPI

/// The options and operands of a command, each declared once.
///
/// Each call declares one option or operand. If there is a command line, the call also reads the value into a variable.
/// Parsing, help, completion and the manual page use the same declarations, so they cannot differ.
struct Arguments {
    private(set) var options: [Option] = []
    private(set) var operands: [Operand] = []

    /// Whether `--` is before the last operands.
    let endsOptions: Bool
    private let values: [String: String]
    /// The operands that have not been read yet, or `nil` if only the declarations are needed.
    private var words: [String]?
    private let verb: String

    /// Returns the options and operands that `body` declares.
    static func declared(_ body: (inout Arguments) throws(ClientError) -> Void) -> Arguments {
        var arguments = Arguments()
        do { try body(&arguments) } catch {
            preconditionFailure("declaring reads nothing that could be wrong")
        }
        return arguments
    }

    private init() {
        verb = ""
        values = [:]
        endsOptions = false
    }

    /// Parses the words before and after a verb.
    ///
    /// - Parameter declared: the options and operands of the command.
    init(_ words: [String], verb: String, declared: Arguments) throws(ClientError) {
        let options = GlobalOptions.declared.options + declared.options
        let line = try ParsedLine(words, options: options, verb: verb)
        self.verb = verb
        values = line.values
        endsOptions = line.endsOptions
        self.words = line.operands
    }

    /// Ends the parsing.
    ///
    /// - Throws: a usage error if a word is left over.
    func finish() throws(ClientError) {
        guard let word = words?.first else { return }
        throw usage("'\(verb)' does not take '\(word.oneLine(bytesLimit: 80))'")
    }

    // MARK: - Options

    /// Declares a flag such as `-a, --all`.
    ///
    /// The variable is set to true if the flag was typed.
    mutating func flag(_ usage: String, _ isSet: inout Bool, help: String) {
        if declare(usage, kind: .text, help: help) != nil { isSet = true }
    }

    mutating func flag(_ usage: String, _ isSet: inout Bool?, help: String) {
        if declare(usage, kind: .text, help: help) != nil { isSet = true }
    }

    /// Declares an option with a value, such as `-d, --due WHEN`.
    mutating func option(_ usage: String, _ value: inout String?, help: String, kind: ValueKind = .text) {
        if let text = declare(usage, kind: kind, help: help) { value = text }
    }

    /// Declares an option with names of tags, such as `-t, --tag NAME`, which may be repeated.
    mutating func tags(_ usage: String, _ names: inout [String]?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .tags, help: help) else { return }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
            throw wrong(
                text, expected: "the name of a tag, or several with commas between them",
                suggestion: verb == "edit" && text.isEmpty ? "To remove all tags, use --no-tags. " : nil)
        }
        // The daemon refuses a name of signs only.
        names = parts.flatMap { part in
            let names = TagName.list(part)
            return names.isEmpty ? [part] : names
        }
    }

    /// Declares an option with texts, such as `--link URL`, which may be repeated.
    mutating func texts(_ usage: String, _ texts: inout [String]?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .texts, help: help) else { return }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
            throw wrong(
                text, expected: usage.split(separator: " ").last.map(String.init) ?? "a text",
                suggestion: verb == "edit" && text.isEmpty ? "To remove all links, use --no-links. " : nil)
        }
        texts = lines
    }

    /// Declares an option with times of alerts, such as `--alert TIME`, which may be repeated. An empty text means none.
    mutating func alertTimes(_ usage: String, _ times: inout [String]?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .texts, help: help) else { return }
        if text.allSatisfy(\.isWhitespace) { return times = [] }
        times = nil
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            guard line.contains(where: { !$0.isWhitespace }) else {
                throw wrong(String(line), expected: "the time of an alert")
            }
            times = (times ?? []) + AlertWords.list(String(line))
        }
    }

    /// Declares an option with a number from 0 to 100, after which a percent sign may be typed.
    mutating func percentage(_ usage: String, _ value: inout Int64?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .text, help: help) else { return }
        if text.isEmpty, verb == "edit" {
            value = 0
            return
        }
        guard let number = Percentage.number(text) else { throw wrong(text, expected: Percentage.expected) }
        value = number
    }

    mutating func option(_ usage: String, _ value: inout Int64?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .text, help: help) else { return }
        guard let number = Int64(text), number >= 0 else { throw wrong(text, expected: "a number") }
        value = number
    }

    /// Declares an option with the number of an item, such as `--parent ID`.
    ///
    /// - Parameter isRemovable: whether an empty text means 0, for no item.
    mutating func item(
        _ usage: String, _ id: inout Int64?, isRemovable: Bool = false, help: String
    ) throws(ClientError) {
        guard let text = declare(usage, kind: .item(.open), help: help) else { return }
        if isRemovable, text.isEmpty { return id = 0 }
        var numbers = ItemNumbers()
        guard numbers.add(text), let number = numbers.single.first, text == "\(number)" else {
            throw wrong(text, expected: "the number of an item")
        }
        id = number
    }

    /// Declares an option with numbers of items, such as `--blocked-by IDS`, which may be repeated.
    mutating func items(_ usage: String, _ ids: inout [Int64]?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .items, help: help) else { return }
        var numbers = ItemNumbers()
        guard numbers.add(text), numbers.ranges.isEmpty else {
            throw wrong(
                text, expected: "numbers of items with commas between them",
                suggestion: verb == "edit" && text.isEmpty ? "To remove all, use --no-blocked-by. " : nil)
        }
        ids = numbers.single
    }

    /// Declares an option with a priority, such as `-p, --priority LEVEL`.
    mutating func priority(_ usage: String, _ value: inout Int64?, help: String) throws(ClientError) {
        guard let text = declare(usage, kind: .choice(Priority.words), help: help) else { return }
        if text.isEmpty, verb == "edit" {
            value = 0
            return
        }
        guard let number = Priority.number(text) else {
            throw wrong(text, expected: Priority.expected, among: Priority.words)
        }
        value = number
    }

    /// Declares an option that selects items by their priorities.
    ///
    /// - Parameter typed: the text as the user typed it.
    mutating func priorities(
        _ usage: String, _ value: inout [Int64]?, typed: inout String?, help: String
    ) throws(ClientError) {
        guard let text = declare(usage, kind: .list(Priority.words), help: help) else { return }
        guard let numbers = Priority.numbers(text) else {
            throw wrong(text, expected: Priority.expectedInFilter, among: Priority.words)
        }
        value = numbers
        typed = text
    }

    mutating func option<Choice: FieldChoice>(
        _ usage: String, _ value: inout Choice?, help: String
    ) throws(ClientError) {
        let words = Choice.allCases.map(\.rawValue)
        guard let text = declare(usage, kind: .choice(words), help: help) else { return }
        guard let choice = Choice(rawValue: text) else {
            throw wrong(text, expected: "one of \(words.joined(separator: ", "))")
        }
        value = choice
    }

    /// Adds the option, and returns its value, or `nil` if it was not typed.
    private mutating func declare(_ usage: String, kind: ValueKind, help: String) -> String? {
        let option = Option(usage, kind: kind, help: help)
        options.append(option)
        return values[option.name]
    }

    /// Returns a usage error for the value of the last option, with the nearest of some words that it can have.
    private func wrong(
        _ text: String, expected: String, among words: [String] = [], suggestion: String? = nil
    ) -> ClientError {
        let near = EditDistance.nearest(to: text.lowercased(), among: words)
        return .usage(
            "\(options.last?.name ?? "") takes \(expected), not '\(text.oneLine(bytesLimit: 80))'",
            verb: verb,
            suggestion: suggestion ?? near.map { "Did you mean '\($0)'? " } ?? "")
    }

    // MARK: - Operands

    /// Declares an operand of one word, such as `FILE` or `[SPAN]`.
    mutating func word(_ usage: String, _ word: inout String, kind: ValueKind = .text) throws(ClientError) {
        operands.append(Operand(usage: usage, kind: kind))
        guard var words else { return }
        if words.isEmpty { return try need(usage, kind) }
        word = words.removeFirst()
        self.words = words
        // An existing item, file or category never has an empty name.
        if word.isEmpty, kind != .text { try need(usage, kind) }
    }

    /// Declares an operand that is one of a few words, such as `SHELL`.
    mutating func word<Choice: FieldChoice>(_ usage: String, _ choice: inout Choice?) throws(ClientError) {
        let words = Choice.allCases.map(\.rawValue)
        var text = ""
        try word(usage, &text, kind: .choice(words))
        guard self.words != nil else { return }
        choice = Choice(rawValue: text)
        if choice == nil {
            throw self.usage(
                "\(usage) is one of \(words.joined(separator: ", ")), not '\(text.oneLine(bytesLimit: 80))'")
        }
    }

    /// Declares an operand that takes all remaining words, such as `TEXT...`.
    mutating func words(_ usage: String, _ taken: inout [String], kind: ValueKind = .text)
        throws(ClientError)
    {
        operands.append(Operand(usage: usage, kind: kind))
        guard let words else { return }
        if words.isEmpty || kind.namesThing && words.contains("") { try need(usage, kind) }
        taken = words
        self.words = []
    }

    /// Declares an operand of all remaining words: a time, such as `[WHEN]`, or one of `choices`.
    mutating func time(
        _ usage: String, _ time: inout TypedTime, or choices: [String] = []
    ) throws(ClientError) {
        var taken: [String] = []
        try words(usage, &taken, kind: choices.isEmpty ? .text : .choice(choices))
        time = TypedTime(taken)
    }

    /// Declares an operand of item numbers, such as `[ID]...`, which may be missing.
    mutating func items(_ usage: String, _ numbers: inout ItemNumbers, state: ListItems.State) {
        operands.append(Operand(usage: usage, kind: .item(state)))
        guard let words else { return }
        let count = words.prefix { numbers.add($0) }.count
        self.words = Array(words[count...])
    }

    /// Declares an operand that is the number of one item.
    mutating func item(_ usage: String, _ id: inout Int64, state: ListItems.State) throws(ClientError) {
        var text = ""
        try word(usage, &text, kind: .item(state))
        guard words != nil else { return }
        var numbers = ItemNumbers()
        guard numbers.add(text), let number = numbers.single.first, text == "\(number)" else {
            throw noNumber(text)
        }
        id = number
    }

    /// Throws a usage error for a missing operand, unless the operand is in brackets and therefore optional.
    private func need(_ usage: String, _ kind: ValueKind) throws(ClientError) {
        if usage.hasPrefix("[") { return }
        let operand =
            switch kind {
            case .item: "the number of an item"
            case .file: "the name of a file"
            case .category: "the name of a category"
            case .tag: "the name of a tag"
            case .view: "the name of a view"
            case .syncAccount: "the name of an account"
            case .syncList: "the name of a synchronized list"
            case .conflict: "the number of a conflict"
            case .text, .choice, .list, .tags, .texts, .items: String(usage.prefix { $0 != "." })
            }
        throw self.usage("'\(verb)' needs \(operand)")
    }

    /// Whether there are operands that have not been read yet.
    var hasWords: Bool { words?.isEmpty == false }

    /// Throws a usage error for missing item numbers.
    func needItems() throws(ClientError) {
        guard let words else { return }
        guard let word = words.first else { throw usage("'\(verb)' needs the number of an item, or --where") }
        throw noNumber(word)
    }

    /// Returns a usage error for a word that is not an item number.
    ///
    /// If it may be a name, the error suggests a search.
    private func noNumber(_ word: String) -> ClientError {
        let message = "'\(word.oneLine(bytesLimit: 80))' is not the number of an item"
        guard word.contains(where: \.isLetter) else { return usage(message) }
        return .usage(
            "todoctl: \(message)", hint: "To find it:  \(ShellWord.command("todoctl list", operands: [word]))"
        )
    }

    func usage(_ message: String) -> ClientError {
        .usage(message, verb: verb)
    }
}
