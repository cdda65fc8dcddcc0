internal import CivilTime
internal import TodoAPI

/// The properties that the daemon has found in the text of a new item, which the user can accept or decline.
struct EntryOffer {
    /// The length of the longest name that a hint repeats.
    private static let nameBytesLimit = 200
    private static let valueBytesLimit = 80

    enum Answer: String, CaseIterable {
        case yes, literal, no
    }

    /// The text as it was typed.
    let text: String
    /// The item that the text describes.
    let item: Item
    let parts: [TextPart]
    /// The reason why words that look like a property do not set one.
    let problem: String?

    init(_ text: String, _ reply: AddItem.Reply) {
        self.text = text
        item = reply.item
        parts = reply.parts ?? []
        problem = reply.problem
    }

    /// Sets the properties of the text, and returns its category.
    func apply(to item: inout AddItem.Parameters) -> String? {
        item.name = self.item.name
        var category: String?
        for part in parts {
            switch part.kind {
            case .due: item.due = part.value
            case .start: item.start = part.value
            case .every: item.every = part.value
            case .category: category = part.value
            case .tag: item.tags = (item.tags ?? []) + [part.value]
            case .priority: item.priority = Int64(part.value)
            }
        }
        return category
    }

    /// Shows the item on the terminal, and asks whether to add it.
    ///
    /// - Returns: the answer, or `nil` if there is no terminal.
    func ask(_ session: Session) -> Answer? {
        let page = session.page
        let lines = (page.hasColour ? [typed] : []) + [description(session)]
        Output.printError(lines.map { $0.text(for: page) }.joined(separator: "\n"))
        let question = isCategoryNew ? "Add this? The category is new." : "Add this?"
        return Question.choose(question, hint: "Y/n/l(iteral)", among: Answer.allCases.map(\.rawValue))
            .flatMap(Answer.init)
    }

    /// Whether the text has a category that does not exist.
    var isCategoryNew: Bool { parts.contains { $0.isNew == true } }

    /// The text, in which the words of each part have its colour.
    private var typed: StyledText {
        var colours: [Int64: StyledText.Colour] = [:]
        for part in parts { for word in part.words { colours[word] = part.kind.colour } }
        var styled = StyledText()
        for (index, word) in text.split(whereSeparator: \.isWhitespace).enumerated() {
            styled.add(String(word).oneLine(bytesLimit: Self.nameBytesLimit), colours[Int64(index)])
        }
        return styled
    }

    /// Returns the item in words: `Pay rent  (due Fri 27 Nov 09:00, in 20 h; every month; +home; priority 1)`.
    private func description(_ session: Session) -> StyledText {
        let kinds = Set(parts.map(\.kind))
        var details: [(String, TextPart.Kind)] = []
        let isRepeated = kinds.contains(.every)
        if kinds.contains(.due) || isRepeated, let due = item.due {
            details.append(("due \(session.words.momentWithDistance(due))", .due))
        }
        if kinds.contains(.start), let start = item.start {
            details.append(("starts \(session.words.shortMoment(start))", .start))
        }
        if isRepeated, let every = item.repetition { details.append((every, .every)) }
        if kinds.contains(.category), let category = item.category {
            let end = isCategoryNew ? " (new)" : ""
            details.append(
                ("category \(category.oneLine(bytesLimit: Self.valueBytesLimit))\(end)", .category))
        }
        for part in parts where part.kind == .tag {
            details.append(("+\(part.value.oneLine(bytesLimit: Self.valueBytesLimit))", .tag))
        }
        if kinds.contains(.priority) { details.append(("priority \(item.priority)", .priority)) }
        var styled = StyledText()
        styled.add("\(item.name.oneLine(bytesLimit: Self.nameBytesLimit)):")
        for (index, detail) in details.enumerated() {
            styled.add(detail.0 + (index < details.count - 1 ? ";" : ""), detail.1.colour)
        }
        return styled
    }

    /// Returns the properties of the text that the line of an added item does not have by itself.
    func details(of item: Item) -> [String] {
        let kinds = Set(parts.map(\.kind))
        var details: [String] = []
        if kinds.contains(.priority) { details.append("priority \(item.priority)") }
        if kinds.contains(.category), let category = item.category {
            details.append("category \(category.oneLine(bytesLimit: Self.valueBytesLimit))")
        }
        let tags = parts.filter { $0.kind == .tag }.map {
            "+\($0.value.oneLine(bytesLimit: Self.valueBytesLimit))"
        }
        if !tags.isEmpty { details.append(tags.joined(separator: " ")) }
        return details
    }

    /// Returns a hint with the command that sets the properties of an item that has the whole text as its name.
    func hint(id: Int64) -> String {
        let name = item.name
        let isTyped = name.oneLine(bytesLimit: Self.nameBytesLimit) == name
        let options = TextPart.Kind.allCases.flatMap { kind in
            parts.filter { $0.kind == kind }.map { "\(kind.option) \(ShellWord.quoted($0.value))" }
        }
        let words =
            ["todoctl edit \(id)"] + (isTyped ? ["--name \(ShellWord.quoted(name))"] : []) + options
            + (isCategoryNew ? ["--new-category"] : [])
        let texts = parts.map(\.text).joined(separator: " ").oneLine(bytesLimit: Self.valueBytesLimit)
        return
            "The whole text is the name. If '\(texts)' is not part of it:  \(words.joined(separator: " "))"
    }
}

extension TextPart.Kind {
    fileprivate var option: String { "--\(rawValue)" }

    fileprivate var colour: StyledText.Colour {
        switch self {
        case .due: .yellow
        case .start: .blue
        case .every: .magenta
        case .category: .cyan
        case .tag: .green
        case .priority: .red
        }
    }
}
