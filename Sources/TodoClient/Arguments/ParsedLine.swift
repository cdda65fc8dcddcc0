internal import Phrases
internal import TodoAPI

/// The words of a command line, separated into options and operands.
///
/// It accepts the usual forms: `--due 9am`, `--due=9am`, `-d 9am`, `-d9am`, `-an5`. Options may be anywhere before
/// `--`. A long option may be shortened if only one option begins that way.
struct ParsedLine {
    /// The values by option name.
    ///
    /// The value of a flag is empty. The values of a repeated option are joined, with commas if it has a list.
    private(set) var values: [String: String] = [:]
    /// The words that are not options, in order.
    private(set) var operands: [String] = []

    /// Whether `--` is before the last operands.
    private(set) var endsOptions = false
    private let options: [Option]
    private let verb: String

    /// Parses `words`.
    ///
    /// - Parameters:
    ///   - verb: the verb to name in messages.
    ///   - stopsAtOperand: whether all words after the first operand are operands.
    init(_ words: [String], options: [Option], verb: String, stopsAtOperand: Bool = false) throws(ClientError)
    {
        self.options = options
        self.verb = verb
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                endsOptions = true
                operands += rest
                return
            }
            if word.hasPrefix("--") {
                try takeLong(word, &rest)
            } else if word.hasPrefix("-"), word != "-" {
                try takeShort(word, &rest)
            } else {
                operands.append(word)
                if stopsAtOperand {
                    operands += rest
                    return
                }
            }
        }
    }

    /// Parses an option such as `--all`, `--due` or `--due=9am`.
    private mutating func takeLong(_ word: String, _ rest: inout ArraySlice<String>) throws(ClientError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let option = try option(named: String(parts[0]))
        guard option.placeholder != nil else {
            guard parts.count == 1 else { throw usage("\(option.name) takes no value") }
            values[option.name] = ""
            return
        }
        try set(option, parts.count == 2 ? String(parts[1]) : try value(of: option, &rest))
    }

    /// Parses short options such as `-a`, `-d`, `-d9am` or `-an5`.
    private mutating func takeShort(_ word: String, _ rest: inout ArraySlice<String>) throws(ClientError) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            let option = try option(named: "-\(letter)")
            if option.placeholder == nil {
                values[option.name] = ""
            } else {
                return try set(option, letters.isEmpty ? try value(of: option, &rest) : String(letters))
            }
        }
    }

    private mutating func set(_ option: Option, _ value: String) throws(ClientError) {
        guard let first = values.updateValue(value, forKey: option.name) else { return }
        guard let separator = option.kind.separator else {
            throw usage("'\(option.name)' is given twice")
        }
        values[option.name] = first + separator + value
    }

    private func value(of option: Option, _ rest: inout ArraySlice<String>) throws(ClientError) -> String {
        guard let value = rest.popFirst() else {
            throw usage("\(option.name) needs a value: \(option.usage)")
        }
        return value
    }

    private func option(named name: String) throws(ClientError) -> Option {
        if let option = options.first(where: { $0.names.contains(name) }) { return option }
        let begun = Option.beginning(with: name, among: options)
        if begun.count == 1 { return begun[0] }
        if name == "--password", begun.contains(where: { $0.names.contains("--password-file") }) {
            throw .usage(
                "todoctl: a password is not typed on the command line, because other users can read it there",
                hint: "Omit it, and type it when todoctl asks. In a script, use --password-file FILE.")
        }
        guard begun.isEmpty else {
            let names = begun.map { "'\($0.name)'" }.joined(separator: ", ")
            throw usage("'\(name.oneLine(bytesLimit: 80))' is ambiguous: \(names)")
        }
        let subject = verb.isEmpty ? "there is" : "'\(verb)' has"
        let near = EditDistance.nearest(to: name, among: options.map(\.name))
        // Items are muted with a command of their own.
        let isMuting = verb == "edit" && ["--mute", "--unmute"].contains(name)
        let meant =
            isMuting
            ? "todoctl \(name.dropFirst(2)) \(operands.first?.oneLine(bytesLimit: 80) ?? "ITEM")" : near
        throw usage(
            "\(subject) no option '\(name.oneLine(bytesLimit: 80))'",
            suggestion: meant.map { "Did you mean '\($0)'? " } ?? "")
    }

    private func usage(_ message: String, suggestion: String = "") -> ClientError {
        .usage(message, verb: verb, suggestion: suggestion)
    }
}
