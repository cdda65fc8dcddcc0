internal import TodoAPI

/// The search for words that a shell can insert at the cursor.
struct Completion {
    struct Candidate: Equatable {
        let word: String
        let description: String
    }

    enum Answer: Equatable {
        case candidates([Candidate])
        /// File names, which the shell itself completes.
        case files

        fileprivate var candidates: [Candidate] {
            if case .candidates(let candidates) = self { candidates } else { [] }
        }
    }

    /// The source of items, categories and other names.
    let source: any CompletionSource

    /// Returns the candidates that begin with the last word.
    ///
    /// - Parameter words: the words after `todoctl`. The last one is to be completed, and may be empty.
    func answer(to words: [String]) -> Answer {
        var place = Place()
        for word in words.dropLast() { place.pass(word) }
        var current = words.last ?? ""
        if let option = place.awaiting {
            // Bash splits `--due=9am` at the equals sign.
            return values(of: option.kind, current: current == "=" ? "" : current, place: place)
        }
        if current.hasPrefix("--"), let sign = current.firstIndex(of: "=") {
            let option = place.option(named: String(current[..<sign]))
            current = String(current[current.index(after: sign)...])
            return values(of: option?.kind ?? .text, current: current, place: place)
        }
        if current.hasPrefix("-"), !place.isLiteral {
            return .candidates(options(place).filter { $0.word.hasPrefix(current) })
        }
        guard let command = place.command else { return .candidates(verbs(current, after: place.operands)) }
        let answers = place.operands(of: command).map { values(of: $0.kind, current: current, place: place) }
        if answers.contains(.files) { return .files }
        // `view` is a command, and the first word of others.
        let words =
            place.operands.isEmpty && !place.isLiteral ? verbs(current, after: Self.words(of: command)) : []
        return .candidates(words + answers.flatMap(\.candidates))
    }

    private func options(_ place: Place) -> [Candidate] {
        place.options.map { Candidate(word: $0.name, description: $0.help) }
    }

    /// Returns the first words of verbs or, after a first word, the second words that belong to it.
    private func verbs(_ current: String, after before: [String]) -> [Candidate] {
        var candidates: [Candidate] = []
        for command in Todoctl.commands {
            let words = Self.words(of: command)
            guard words.starts(with: before), words.count > before.count,
                words[before.count].hasPrefix(current)
            else { continue }
            if words.count == before.count + 1 {
                // `view` is also the first word of the commands before it.
                if candidates.last?.word == words[before.count] { candidates.removeLast() }
                candidates.append(.init(word: words[before.count], description: command.summary))
            } else if candidates.last?.word != words[before.count] {
                candidates.append(.init(word: words[before.count], description: "more than one command"))
            }
        }
        return candidates
    }

    private static func words(of command: any Command.Type) -> [String] {
        command.verb.split(separator: " ").map(String.init)
    }

    private func values(of kind: ValueKind, current: String, place: Place) -> Answer {
        // The shell passes words as they were typed, with quotes and backslashes.
        let start = String(current.drop { $0 == "'" || $0 == "\"" }.filter { $0 != "\\" })
        let all: [Candidate]
        switch kind {
        case .text, .texts: all = []
        case .file: return .files
        case .choice(let words): all = words.map { Candidate(word: $0, description: "") }
        case .list(let words):
            all = Self.lists(words.map { Candidate(word: $0, description: "") }, typed: start, signs: "-")
        case .category: all = source.categories()
        case .tag: all = source.tags()
        case .view: all = source.views()
        case .syncAccount: all = source.syncAccounts()
        case .syncList: all = source.syncLists()
        case .conflict: all = source.conflicts().filter { !place.operands.contains($0.word) }
        case .tags: all = Self.lists(source.tags(), typed: start, signs: "")
        case .items: all = Self.lists(source.items(.open), typed: start, signs: "")
        case .item(let state):
            all = source.items(state).filter { !place.operands.contains($0.word) }
        }
        return .candidates(all.filter { $0.word.lowercased().hasPrefix(start.lowercased()) })
    }

    /// Returns the lists that continue the typed one, such as `due,-name` for `due,-n`.
    ///
    /// - Parameter signs: the characters that may precede a word.
    private static func lists(_ words: [Candidate], typed: String, signs: String) -> [Candidate] {
        var parts = typed.split(separator: ",", omittingEmptySubsequences: false)
        let sign = parts.popLast()?.first.flatMap { signs.contains($0) ? String($0) : nil } ?? ""
        let begin = parts.map { "\($0)," }.joined() + sign
        return words.map { Candidate(word: begin + $0.word, description: $0.description) }
    }
}

/// The state of the command line before the word to complete.
private struct Place {
    private(set) var options = GlobalOptions.declared.options
    private(set) var command: (any Command.Type)?
    /// The words that are not options. Words of the verb are removed when the verb is complete.
    private(set) var operands: [String] = []
    /// The option that takes the next word as its value.
    private(set) var awaiting: Option?
    private(set) var isLiteral = false

    mutating func pass(_ word: String) {
        if awaiting != nil {
            if word != "=" { awaiting = nil }
        } else if isLiteral {
            operands.append(word)
        } else if word == "--" {
            isLiteral = true
        } else if word.hasPrefix("-"), word != "-" {
            awaiting = optionAwaitingValue(after: word)
        } else {
            passOperand(word)
        }
    }

    /// Returns the option in `word` that takes the next word as its value: that of `--due` or `-ad`.
    ///
    /// It is `nil` for `-d9am`, which has its value.
    private func optionAwaitingValue(after word: String) -> Option? {
        let names = word.hasPrefix("--") ? [word] : word.dropFirst().map { "-\($0)" }
        let index = names.firstIndex { option(named: $0)?.placeholder != nil }
        guard let index, index == names.count - 1 else { return nil }
        return option(named: names[index])
    }

    /// Returns the option with that name, or the only one that begins with it, or `nil`.
    func option(named name: String) -> Option? {
        if let option = options.first(where: { $0.names.contains(name) }) { return option }
        let begun = Option.beginning(with: name, among: options)
        return begun.count == 1 ? begun[0] : nil
    }

    private mutating func passOperand(_ word: String) {
        operands.append(word)
        guard command == nil || operands.count == 1 else { return }
        let typed = command.map { "\($0.verb) \(word)" } ?? operands.joined(separator: " ")
        guard let found = Todoctl.commands.first(where: { $0.verb == typed || $0.aliases.contains(typed) })
        else { return }
        command = found
        options = found.declared.options + options
        operands = []
    }

    /// Returns the operands that the next word can be.
    func operands(of command: any Command.Type) -> ArraySlice<Operand> {
        let declared = command.declared.operands
        // Item numbers may repeat. The operand after them may follow the first number.
        let isItems = declared.first.map { $0.isRepeated && declared.count > 1 } ?? false
        if isItems { return declared.prefix(operands.isEmpty ? 1 : 2) }
        if operands.count < declared.count { return declared[operands.count...].prefix(1) }
        return declared.suffix(1).filter(\.isRepeated)[...]
    }
}
