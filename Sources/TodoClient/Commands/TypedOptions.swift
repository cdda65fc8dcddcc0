internal import CivilTime
internal import Phrases
internal import TodoAPI

/// Words in a name that are options in other programs: `due:tomorrow`, `project:home`, `pri:H`, `+shop`, `@errands`.
struct TypedOptions {
    /// The length of the longest name that the hint repeats.
    private static let nameBytesLimit = 200
    /// The maximum number of commands in a hint.
    private static let choicesLimit = 5

    private typealias Typed = (index: Int, option: NameOption)

    private let id: Int64
    private let words: [Substring]
    /// The time at the end of the name, which is set by the same command.
    private let time: TimeInName?
    /// The first word for each option, and for each category and tag, with their positions in `words`.
    private var typed: [Typed] = []
    /// The readings of a due time that has several.
    private var dueTimes: [String] = []

    /// Finds the words in a name, or returns `nil` if it has none.
    ///
    /// A due time or priority that cannot be read stays in the name.
    init?(in name: String, id: Int64, _ time: TimeInName?, _ session: Session) {
        self.id = id
        words = name.split(whereSeparator: \.isWhitespace)
        var isScheduled = false
        for (index, text) in words.enumerated() {
            guard var option = NameOption(text) else { continue }
            // An item has one due time, priority and rule. It may have several tags, and the hint offers each category.
            let isTaken = typed.contains {
                $0.option.name == option.name
                    && (!["--category", "--tag"].contains($0.option.name)
                        || $0.option.value.lowercased() == option.value.lowercased())
            }
            if isTaken { continue }
            if option.name == "--due" {
                let readings = Self.readings(of: option.value, session)
                guard let reading = readings.first else { continue }
                if readings.count > 1 { dueTimes = readings } else { option.value = reading }
            }
            if option.name == "--priority" {
                guard let number = Priority.number(option.value), (0...9).contains(number) else { continue }
            }
            isScheduled = isScheduled || option.name == "--due" || option.name == "--every"
            typed.append((index, option))
        }
        self.time = isScheduled ? nil : time
        if typed.isEmpty { return nil }
    }

    /// Returns the text itself if it is a time in the future, or all of its readings, or the text that was probably
    /// meant.
    private static func readings(of text: String, _ session: Session) -> [String] {
        do throws(DatePhraseError) {
            let reading = try DatePhrase.reading(
                text, now: session.now, zone: session.zone, defaultTime: CivilDateTime.secondsPerDay - 1)
            return reading.moment < session.now ? [] : [text]
        } catch {
            return error.similar
        }
    }

    private var choices: [Typed] {
        let categories = typed.filter { $0.option.name == "--category" }
        if categories.count > 1 { return categories }
        return typed.filter { $0.option.name == "--due" }.flatMap { index, option in
            dueTimes.map { time in
                var option = option
                option.value = time
                return (index, option)
            }
        }
    }

    /// The categories in the name.
    var categories: [String] { typed.filter { $0.option.name == "--category" }.map(\.option.value) }

    /// Whether the command also sets the time at the end of the name.
    var includesTime: Bool { time != nil }

    /// The category if the words name only one, and it exists.
    func onlyCategory(of known: [String]) -> String? {
        guard typed.count == 1, let name = categories.first else { return nil }
        return known.first { $0.lowercased() == name.lowercased() }
    }

    /// Returns a hint with the command that applies the words as options.
    ///
    /// For several categories or readings of a due time, it has one command for each.
    func hint(knownCategories: [String]) -> String {
        let choices = choices
        guard let choice = choices.first else {
            let text = (typed.map { String($0.option.text) } + (time.map { [$0.text] } ?? []))
                .joined(separator: " ").oneLine(bytesLimit: 80)
            return
                "The whole text is the name. If '\(text)' is not part of it:  \(command(typed, knownCategories))"
        }
        let others = typed.filter { $0.option.name != choice.option.name }
        let commands = choices.prefix(Self.choicesLimit).map { choice in
            let used = (others + [choice]).sorted { $0.index < $1.index }
            return "\n  " + command(used, knownCategories)
        }
        let reason =
            choice.option.name == "--due"
            ? "'\(String(choice.option.text).oneLine(bytesLimit: 80))' is not clear. To set it"
            : "An item has one category. To choose it"
        return "The whole text is the name. \(reason), run one of:\(commands.joined())"
    }

    /// Returns the command that turns the words in `used` into options. The other words stay in the name.
    private func command(_ used: [Typed], _ knownCategories: [String]) -> String {
        let indices = Set(used.map(\.index)).union(time?.indices ?? [])
        let name = words.indices.filter { !indices.contains($0) }.map { words[$0] }.joined(separator: " ")
        let isTyped = !name.isEmpty && name.oneLine(bytesLimit: Self.nameBytesLimit) == name
        let isNew = used.contains { _, option in
            option.name == "--category"
                && !knownCategories.contains { $0.lowercased() == option.value.lowercased() }
        }
        let parts =
            (isTyped ? ["--name \(ShellWord.quoted(name))"] : [])
            + (time.map { [$0.option] } ?? [])
            + used.map { "\($0.option.name) \(ShellWord.quoted($0.option.value))" }
            + (isNew ? ["--new-category"] : [])
        return "todoctl edit \(id) \(parts.joined(separator: " "))"
    }
}
