internal import CivilTime
internal import TodoAPI

/// A time at the end of the name of a new item without a due time.
///
/// The user may have meant it as the due time.
struct TimeInName {
    let item: Item
    /// The end of the name, such as `friday 5pm` or `every monday`.
    private let text: String
    /// The time, or `nil` if the text is a rule.
    private let due: Timestamp?

    init?(_ reply: AddItem.Reply) {
        guard let text = reply.timeInName else { return nil }
        self.text = text
        item = reply.item
        due = reply.dueInName
    }

    /// Asks on the terminal whether the text is the due time or the rule of the item.
    ///
    /// - Returns: the change that sets the due time or the rule, or `nil` if the user declines.
    /// - Throws: `NoTerminal` if there is no terminal to ask on.
    func ask(_ session: Session) throws(NoTerminal) -> UpdateItems.Parameters? {
        let question =
            due.map { "Due \(session.words.shortMoment($0))?" }
            ?? "Repeat it \(text.oneLine(bytesLimit: 80))?"
        guard let isWanted = Question.ask(question, customarily: true) else { throw NoTerminal() }
        guard isWanted else { return nil }
        var change = UpdateItems.Parameters()
        change.ids = [item.id]
        change.asPartOfAdd = true
        change.name = shortName
        if isRule { change.every = rule } else { change.due = text }
        change.timeZone = session.zoneName
        return change
    }

    struct NoTerminal: Error {}

    /// A hint with the command that sets the due time or the rule.
    var hint: String {
        let name = shortName.map { ["--name", ShellWord.quoted($0)] } ?? []
        let schedule = isRule ? ["--every", ShellWord.quoted(rule)] : ["--due", ShellWord.quoted(text)]
        let words = ["todoctl edit \(item.id)"] + name + schedule
        let use = isRule ? "To repeat it \(text.oneLine())" : "To use '\(text.oneLine())' as the due time"
        return "No due time set. \(use), run:  \(words.joined(separator: " "))"
    }

    private var isRule: Bool { due == nil }

    private var rule: String { text.lowercased().hasPrefix("every ") ? String(text.dropFirst(6)) : text }

    /// The name without the time, or `nil` if the name is too long or cannot be typed.
    ///
    /// With `nil` the name does not change.
    private var shortName: String? {
        let name = item.name.split(whereSeparator: \.isWhitespace)
            .dropLast(text.split(separator: " ").count).joined(separator: " ")
        return name.oneLine(bytesLimit: 200) == name ? name : nil
    }
}
