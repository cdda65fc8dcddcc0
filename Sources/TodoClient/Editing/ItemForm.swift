internal import CivilTime
internal import TodoAPI

/// The text of an item for an editor, from which the user's changes are read.
///
///     Name:       Pay the rent
///     Due:        2026-11-21 09:00
///     Notes:
///     All lines below the last label.
struct ItemForm {
    private enum Field: String, CaseIterable {
        case name = "Name"
        case due = "Due"
        case every = "Every"
        case afterDone = "After done"
        case category = "Category"
        case priority = "Priority"
        case lead = "Lead"
        case muted = "Muted"
        /// The last field. All lines below its label are its text, even if they look like comments or labels.
        case notes = "Notes"
    }

    struct Mistake: Error {
        let message: String
    }

    private static let labelWidth = 12

    private let item: Item
    private let shown: [Field: String]

    init(_ item: Item, _ zone: TimeZoneRules) {
        self.item = item
        shown = [
            .name: item.name.oneLine(),
            .due: item.due.flatMap(zone.civil)?.text ?? "",
            .every: item.every ?? "",
            .afterDone: item.afterDone == true ? "yes" : "no",
            .category: item.category?.oneLine() ?? "",
            .priority: item.priority == 0 ? "" : String(item.priority),
            .lead: (item.leads ?? []).map { TimeSpan.seconds(Int($0)).description }.joined(separator: ", "),
            .muted: item.muted ? "yes" : "no",
            .notes: item.notes ?? "",
        ]
    }

    // MARK: - Writing

    var text: String {
        let fields = Field.allCases.dropLast().map(line)
        return Self.comment(
            """
            Item \(item.id). Save and close the editor to change it.
            Unchanged lines keep their values. An empty value removes the old one.
            Type times and rules as for 'todoctl add': tomorrow 9am, fri 15:30; mon,wed.
            """)
            + "\n" + fields.joined(separator: "\n") + "\n\n\(Field.notes.rawValue):\n\(shown[.notes] ?? "")\n"
    }

    private func line(_ field: Field) -> String {
        let label = "\(field.rawValue):"
        guard let value = shown[field], !value.isEmpty else { return label }
        return label.padded(to: Self.labelWidth) + value
    }

    /// Returns the lines that differ from those of another form.
    func lines(notIn other: ItemForm) -> String {
        Field.allCases.filter { shown[$0] != other.shown[$0] }.map(line).joined(separator: "\n")
    }

    /// Returns the user's text below a comment with `message`.
    ///
    /// Removes the comment lines that were above the text.
    static func text(_ text: String, refusedWith message: String) -> String {
        let rest = text.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix("#") }
        return comment("This was refused:\n\(message)") + rest.joined(separator: "\n")
    }

    private static func comment(_ text: String) -> String {
        text.split(separator: "\n").map { "# \($0)\n" }.joined()
    }

    // MARK: - Reading

    /// Returns the changes to the item, or `nil` if there are none or the text is empty.
    func changes(in text: String) throws(Mistake) -> UpdateItems.Parameters? {
        let changed = try read(text).filter { $0.value != shown[$0.key] }
        if changed.isEmpty { return nil }
        var update = UpdateItems.Parameters()
        update.ids = [item.id]
        update.name = changed[.name]
        update.due = changed[.due]
        update.every = changed[.every]
        update.ifModified = item.modifiedAt.flatMap { RFC3339.text($0) }
        update.category = changed[.category]
        update.leads = changed[.lead]
        update.notes = changed[.notes]
        update.priority = try changed[.priority].map { text throws(Mistake) in
            if text.isEmpty { return 0 }
            guard let number = Priority.number(text) else {
                throw Mistake(message: "Priority is \(Priority.expected), not '\(text.oneLine())'")
            }
            return number
        }
        update.afterDone = try Self.answer(changed, .afterDone)
        update.muted = try Self.answer(changed, .muted)
        return update
    }

    private static func answer(_ changed: [Field: String], _ field: Field) throws(Mistake) -> Bool? {
        guard let text = changed[field] else { return nil }
        guard let isYes = ["yes": true, "no": false, "": false][text.lowercased()] else {
            throw Mistake(message: "\(field.rawValue) is yes or no, not '\(text.oneLine())'")
        }
        return isYes
    }

    private func read(_ text: String) throws(Mistake) -> [Field: String] {
        var found: [Field: String] = [:]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let label = parts[0].trimmed.lowercased()
            guard parts.count == 2,
                let field = Field.allCases.first(where: { $0.rawValue.lowercased() == label })
            else {
                let labels = Field.allCases.map { "\($0.rawValue):" }.joined(separator: ", ")
                throw Mistake(
                    message: "'\(String(line).oneLine(bytesLimit: 60))' does not begin with one of \(labels)")
            }
            guard found[field] == nil else { throw Mistake(message: "\(field.rawValue): is given twice") }
            if field == .notes {
                let first = parts[1].trimmed
                let text = lines.joined(separator: "\n").trimmed
                found[.notes] = first.isEmpty ? text : "\(first)\n\(text)".trimmed
                break
            }
            found[field] = parts[1].trimmed
        }
        if let notes = found[.notes], notes == shown[.notes]?.trimmed { found[.notes] = nil }
        return found
    }
}

extension StringProtocol {
    /// The text without white space at either end.
    fileprivate var trimmed: String {
        let start = drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...last])
    }
}
