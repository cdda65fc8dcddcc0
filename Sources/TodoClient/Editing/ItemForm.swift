internal import CivilTime
internal import Phrases
internal import TodoAPI

/// The text of an item for an editor, from which the user's changes are read.
///
///     Name:       Pay the rent
///     Due:        2026-11-21 09:00
///     Notes:
///     All lines below the last label.
struct ItemForm {
    struct Mistake: Error {
        let message: String
    }

    private static let labelWidth = 12

    private let item: Item
    /// The texts of `ItemField.edited`. The notes are the last field: all lines below their label are their text, even
    /// if they look like comments or labels.
    private let shown: [ItemField: String]

    init(_ item: Item, _ zone: TimeZoneRules) {
        self.item = item
        shown = .init(
            uniqueKeysWithValues: ItemField.edited.map { ($0, Self.text(of: $0, in: item, zone)) })
    }

    private static func text(of field: ItemField, in item: Item, _ zone: TimeZoneRules) -> String {
        switch field.traits.property {
        case .optionalText(let path) where field == .notes: item[keyPath: path] ?? ""
        case .text(let path): item[keyPath: path].oneLine()
        case .optionalText(let path): item[keyPath: path]?.oneLine() ?? ""
        case .number(let path): item[keyPath: path] == 0 ? "" : String(item[keyPath: path])
        case .optionalNumber(let path): item[keyPath: path].map(String.init) ?? ""
        case .duration(let path):
            item[keyPath: path].map { TimeSpan.seconds(Int($0)).description } ?? ""
        case .percentage(let path): item[keyPath: path].map(String.init) ?? ""
        case .links(let path): (item[keyPath: path] ?? []).map { $0.url.oneLine() }.joined(separator: " ")
        case .flag(let path): item[keyPath: path] ? "yes" : "no"
        case .optionalFlag(let path): item[keyPath: path] == true ? "yes" : "no"
        case .numbers(let path):
            (item[keyPath: path] ?? []).map(AlertWords.lead).joined(separator: ", ")
        case .alertTimes(let path):
            (item[keyPath: path] ?? []).map { text in AlertWords.alert(text) { zone.civil(at: $0)?.text } }
                .joined(separator: ", ")
        case .items(let path): (item[keyPath: path] ?? []).map(String.init).joined(separator: ", ")
        case .texts(let path):
            (item[keyPath: path] ?? []).map { $0.oneLine() }.joined(separator: ", ")
        case .moment(let path): item[keyPath: path].flatMap(zone.civil)?.text ?? ""
        case .time(let path): item[keyPath: path].map { text(of: $0, zone) } ?? ""
        }
    }

    /// Returns a time as `todoctl edit` reads it: `2026-11-27`, `2026-11-27 20:00` or `2026-11-27 20:00 floating`.
    private static func text(of time: CalendarTime, _ zone: TimeZoneRules) -> String {
        switch time {
        case .moment(let moment): zone.civil(at: moment)?.text ?? ""
        case .local(.date(let date)): LocalTime.date(date).text
        case .local(.floating(let civil)): "\(civil.text) floating"
        }
    }

    private static func label(of field: ItemField) -> String { field.traits.formLabel ?? field.rawValue }

    // MARK: - Writing

    var text: String {
        let fields = ItemField.edited.dropLast().map(line)
        return Self.comment(
            """
            Item \(item.id). Save and close the editor to change it.
            Unchanged lines keep their values. An empty value removes the old one.
            Type times and rules as for 'todoctl add': tomorrow 9am, fri 15:30; mon,wed.
            Tags and alerts have commas between them, and links have spaces.
            Parent is the number of an item. Blocked by has numbers with commas.
            """)
            + "\n" + fields.joined(separator: "\n")
            + "\n\n\(Self.label(of: .notes)):\n\(shown[.notes] ?? "")\n"
    }

    private func line(_ field: ItemField) -> String {
        let label = "\(Self.label(of: field)):"
        guard let value = shown[field], !value.isEmpty else { return label }
        return label.padded(to: Self.labelWidth) + value
    }

    /// Returns the lines that differ from those of another form.
    func lines(notIn other: ItemForm) -> String {
        ItemField.edited.filter { shown[$0] != other.shown[$0] }.map(line).joined(separator: "\n")
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
        var update = UpdateItems.Parameters()
        update.ids = [item.id]
        update.ifModified = item.modifiedAt.flatMap { RFC3339.text($0) }
        let unchanged = update
        for (field, text) in changed {
            switch field.traits.detail {
            case .name?: update.name = text
            case .typedText(let path)?, .plainText(let path, _, _, _)?, .duration(let path, _, _)?:
                update.details[keyPath: path] = text
            case .percentage(let path, _, _)?: update.details[keyPath: path] = try Self.percentage(text)
            case .item(let path)?: update.details[keyPath: path] = try Self.number(text, field)
            case .items(let path)?: update.details[keyPath: path] = try Self.numbers(text, field)
            case .links(let path)?: update.details[keyPath: path] = links(in: text)
            case .alertTimes(let path)?: update.details[keyPath: path] = AlertWords.list(text)
            case .flag(let path)?: update.details[keyPath: path] = try Self.answer(text, field)
            case .priority(let path)?: update.details[keyPath: path] = try Self.priority(text)
            case .texts?: setTags(in: text, &update)
            case nil: break
            }
        }
        return update == unchanged ? nil : update
    }

    /// Sets the tags that the user added and removed. Other tags may have been renamed since the form was opened.
    private func setTags(in text: String, _ update: inout UpdateItems.Parameters) {
        let old = item.tags ?? []
        let typed = TagName.list(text, known: old.map { $0.oneLine() })
        let added = typed.filter { tag in !old.contains { $0.lowercased() == tag.lowercased() } }
        let kept = Set(typed.map { $0.lowercased() })
        let removed = old.filter { !kept.contains($0.oneLine().lowercased()) }
        if !added.isEmpty { update.addTags = added }
        if !removed.isEmpty { update.removeTags = removed }
    }

    /// Returns the links with the typed URLs. Those that the item has keep their titles.
    private func links(in text: String) -> [ItemLink] {
        text.split(whereSeparator: \.isWhitespace).map { url in
            item.links?.first { $0.url.oneLine() == url } ?? ItemLink(url: String(url))
        }
    }

    /// Returns the number of an item, or 0 for an empty text.
    private static func number(_ text: String, _ field: ItemField) throws(Mistake) -> Int64 {
        if text.isEmpty { return 0 }
        let numbers = try numbers(text, field)
        guard numbers.count == 1 else {
            throw Mistake(message: "\(label(of: field)) is the number of one item, not '\(text.oneLine())'")
        }
        return numbers[0]
    }

    /// Returns numbers of items, with commas or spaces between them.
    private static func numbers(_ text: String, _ field: ItemField) throws(Mistake) -> [Int64] {
        var numbers = ItemNumbers()
        let words = text.split { $0 == "," || $0.isWhitespace }.map(String.init)
        guard words.allSatisfy({ numbers.add($0) }), numbers.ranges.isEmpty else {
            throw Mistake(message: "\(label(of: field)) has numbers of items, not '\(text.oneLine())'")
        }
        return numbers.single
    }

    private static func percentage(_ text: String) throws(Mistake) -> Int64 {
        if text.isEmpty { return 0 }
        guard let number = Percentage.number(text) else {
            throw Mistake(message: "Progress is \(Percentage.expected), not '\(text.oneLine())'")
        }
        return number
    }

    private static func priority(_ text: String) throws(Mistake) -> Int64 {
        if text.isEmpty { return 0 }
        guard let number = Priority.number(text) else {
            throw Mistake(message: "Priority is \(Priority.expected), not '\(text.oneLine())'")
        }
        return number
    }

    private static func answer(_ text: String, _ field: ItemField) throws(Mistake) -> Bool {
        guard let isYes = ["yes": true, "no": false, "": false][text.lowercased()] else {
            throw Mistake(message: "\(label(of: field)) is yes or no, not '\(text.oneLine())'")
        }
        return isYes
    }

    private func read(_ text: String) throws(Mistake) -> [ItemField: String] {
        var found: [ItemField: String] = [:]
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            if line.hasPrefix("#") || line.allSatisfy(\.isWhitespace) { continue }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let label = parts[0].trimmed.lowercased()
            guard parts.count == 2,
                let field = ItemField.edited.first(where: { Self.label(of: $0).lowercased() == label })
            else {
                let labels = ItemField.edited.map { "\(Self.label(of: $0)):" }.joined(separator: ", ")
                throw Mistake(
                    message: "'\(String(line).oneLine(bytesLimit: 60))' does not begin with one of \(labels)")
            }
            guard found[field] == nil else {
                throw Mistake(message: "\(Self.label(of: field)): is given twice")
            }
            if field == .notes {
                let first = String(parts[1].trimmed)
                let text = String(lines.joined(separator: "\n").trimmed)
                found[.notes] = first.isEmpty ? text : String("\(first)\n\(text)".trimmed)
                break
            }
            found[field] = String(parts[1].trimmed)
        }
        if let notes = found[.notes], notes == shown[.notes].map({ String($0.trimmed) }) {
            found[.notes] = nil
        }
        return found
    }
}
