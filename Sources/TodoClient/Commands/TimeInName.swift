internal import CivilTime
internal import Phrases
internal import TodoAPI

/// A time at the end of the name of a new item without a due time.
///
/// The user may have meant it as the due time.
struct TimeInName {
    let item: Item
    /// The end of the name without options, such as `friday 5pm` or `every monday`.
    let text: String
    /// The time, or `nil` if the text is a rule.
    private let due: CalendarTime?

    init?(_ reply: AddItem.Reply) {
        guard let text = reply.timeInName else { return nil }
        self.text = text
        item = reply.item
        due = reply.dueInName
    }

    /// Asks on the terminal whether the text is the due time or the rule of the item.
    ///
    /// - Parameter category: the category that the name also names, which is part of the question.
    /// - Returns: the change that sets the due time or the rule, or `nil` if the user declines.
    /// - Throws: `NoTerminal` if there is no terminal to ask on.
    func ask(_ session: Session, category: String?) throws(NoTerminal) -> UpdateItems.Parameters? {
        let time =
            due.map { "Due \(session.words.shortMoment($0))" }
            ?? "Repeat it \(text.oneLine(bytesLimit: 80))"
        let place = category.map { ", in category \($0.oneLine(bytesLimit: 80))" } ?? ""
        guard let isWanted = Question.ask("\(time)\(place)?", byDefault: true) else { throw NoTerminal() }
        guard isWanted else { return nil }
        var change = UpdateItems.Parameters()
        change.ids = [item.id]
        change.asPartOfAdd = true
        change.name = name(withOptions: category == nil)
        change.category = category
        if isRule { change.every = rule } else { change.due = typedDue }
        change.timeZone = session.zoneName
        return change
    }

    struct NoTerminal: Error {}

    /// A hint with the command that sets the due time or the rule.
    var hint: String {
        let name = name(withOptions: true).map { ["--name", ShellWord.quoted($0)] } ?? []
        let words = ["todoctl edit \(item.id)"] + name + [option]
        let use = isRule ? "To repeat it \(text.oneLine())" : "To use '\(text.oneLine())' as the due time"
        return
            "\(item.due == nil ? "No due time set" : "The due day has no time"). \(use), run:  \(words.joined(separator: " "))"
    }

    /// The option that sets the due time or the rule, with its value.
    var option: String {
        isRule ? "--every \(ShellWord.quoted(rule))" : "--due \(ShellWord.quoted(typedDue))"
    }

    /// The indices of the words of the time among the words of the name, between which options may be.
    var indices: Set<Int> {
        let words = item.name.split(whereSeparator: \.isWhitespace)
        let others = words.indices.filter { NameOption(words[$0]) == nil }
        return Set(others.suffix(text.split(separator: " ").count))
    }

    private var isRule: Bool { due == nil }

    /// The text to type as the due time. The item can have its day already.
    private var typedDue: String {
        item.due?.wholeDay.map { "\(LocalTime.date($0).text) \(text)" } ?? text
    }

    private var rule: String { text.lowercased().hasPrefix("every ") ? String(text.dropFirst(6)) : text }

    /// The name without the time, or `nil` if the name is too long or cannot be typed.
    ///
    /// With `nil` the name does not change.
    private func name(withOptions: Bool) -> String? {
        let words = item.name.split(whereSeparator: \.isWhitespace)
        let indices = indices
        let name = words.indices.filter {
            !indices.contains($0) && (withOptions || NameOption(words[$0]) == nil)
        }.map { words[$0] }.joined(separator: " ")
        return !name.isEmpty && name.oneLine(bytesLimit: 200) == name ? name : nil
    }
}
