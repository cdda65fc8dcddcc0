internal import CivilTime
internal import TodoAPI

/// A time at the end of the name of an item without a due time, which may have been meant as that.
struct TimeInName {
    let item: Item
    /// The end of the name, such as `friday 5pm` or `every monday`.
    private let text: String
    /// `nil` if the text is a rule.
    private let due: Timestamp?

    init?(_ reply: AddItem.Reply) {
        guard let text = reply.timeInName else { return nil }
        self.text = text
        item = reply.item
        due = reply.dueInName
    }

    /// Asks on a terminal whether it is the due time.
    ///
    /// - Returns: the change that makes it the due time, or takes it as a rule, if that is wanted; `nil` if it is not.
    /// - Throws: `NoTerminal` if nobody can be asked.
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

    /// The command that makes it the due time.
    var hint: String {
        let name = shortName.map { ["--name", ShellWord.quoted($0)] } ?? []
        let schedule = isRule ? ["--every", ShellWord.quoted(rule)] : ["--due", ShellWord.quoted(text)]
        let words = ["todoctl edit \(item.id)"] + name + schedule
        let use = isRule ? "To repeat it \(text.oneLine())" : "If '\(text.oneLine())' is one"
        return "It has no due time. \(use):  \(words.joined(separator: " "))"
    }

    private var isRule: Bool { due == nil }

    private var rule: String { text.lowercased().hasPrefix("every ") ? String(text.dropFirst(6)) : text }

    /// The name without the time; `nil` for a long name, or one that cannot be typed, which stays as it is.
    private var shortName: String? {
        let name = item.name.split(whereSeparator: \.isWhitespace)
            .dropLast(text.split(separator: " ").count).joined(separator: " ")
        return name.oneLine(bytesLimit: 200) == name ? name : nil
    }
}
