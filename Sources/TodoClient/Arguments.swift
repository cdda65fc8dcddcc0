internal import TodoAPI

/// The words of a command line, taken apart into options and the rest as a verb asks for them.
struct Arguments {
    private var words: [String]
    /// What stands behind `--`: never options.
    private var literal: [String]
    private let verb: String

    init(_ words: [String], verb: String) {
        let split = words.firstIndex(of: "--")
        self.words = Array(words[..<(split ?? words.endIndex)])
        literal = split.map { Array(words[($0 + 1)...]) } ?? []
        self.verb = verb
    }

    /// Takes `--name` out, and says whether it was there.
    mutating func flag(_ names: String...) -> Bool {
        let count = words.count
        words.removeAll { names.contains($0) }
        return words.count < count
    }

    /// Takes `--name VALUE` or `--name=VALUE` out; the last one wins.
    mutating func value(_ names: String...) throws(ClientError) -> String? {
        var found: String?
        var index = 0
        while index < words.count {
            if names.contains(words[index]) {
                guard index + 1 < words.count else { throw usage("\(words[index]) needs a value") }
                found = words[index + 1]
                words.removeSubrange(index...index + 1)
            } else if let name = names.first(where: { $0.hasPrefix("--") && words[index].hasPrefix($0 + "=") }
            ) {
                found = String(words[index].dropFirst(name.count + 1))
                words.remove(at: index)
            } else {
                index += 1
            }
        }
        return found
    }

    /// Takes all that is left; an option among it is one that the verb does not know.
    mutating func rest() throws(ClientError) -> [String] {
        if let unknown = words.first(where: { $0.hasPrefix("-") && $0 != "-" }) {
            throw usage("'\(verb)' has no option '\(unknown.prefix { $0 != "=" })'")
        }
        defer { (words, literal) = ([], []) }
        return words + literal
    }

    /// The numbers of items, at least one.
    mutating func itemIDs() throws(ClientError) -> [Int64] {
        let (ids, words) = try itemIDsAndText()
        if let word = words.first {
            throw usage("'\(word.oneLine(bytesLimit: 80))' is not the number of an item")
        }
        return ids
    }

    /// The numbers of items, at least one, and the words behind them.
    mutating func itemIDsAndText() throws(ClientError) -> (ids: [Int64], words: [String]) {
        let words = try rest()
        let ids = words.prefix { Int64($0).map { $0 > 0 } ?? false }.compactMap { Int64($0) }
        if ids.isEmpty, !words.isEmpty {
            throw usage("'\(words[0].oneLine(bytesLimit: 80))' is not the number of an item")
        }
        if ids.isEmpty { throw usage("'\(verb)' needs the number of an item") }
        return (ids, Array(words[ids.count...]))
    }

    /// Takes `--priority NUMBER` out.
    mutating func priority() throws(ClientError) -> Int64? {
        guard let text = try value("--priority", "-p") else { return nil }
        guard let priority = Int64(text) else {
            throw usage(
                "'\(text.oneLine(bytesLimit: 80))' is no priority; it goes from 1, the highest, to 9, and 0 is none"
            )
        }
        return priority
    }

    mutating func finish() throws(ClientError) {
        if let word = try rest().first { throw usage("'\(verb)' does not take '\(word)'") }
    }

    func usage(_ message: String) -> ClientError {
        .usage("todoctl: \(message)", hint: "Type 'todoctl \(verb) --help' for what it takes.")
    }
}
