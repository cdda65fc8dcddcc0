internal import CivilTime
internal import TodoAPI

/// A property of iCalendar of which a change has lost, in the words of `todoctl show`.
struct ConflictProperty {
    /// The field of an item for a property, or `nil` if items have no field for it.
    private static let fields: [String: ItemField] = [
        "SUMMARY": .name, "DESCRIPTION": .notes, "DUE": .due, "DTSTART": .start, "PRIORITY": .priority,
        "STATUS": .completed, "COMPLETED": .completedAt, "PERCENT-COMPLETE": .percent, "CATEGORIES": .tags,
        "RRULE": .every, "URL": .url, "ATTACH": .links, "RELATED-TO": .parent, "VALARM": .alerts,
        "ESTIMATED-DURATION": .estimate, "X-TODOD-START": .start, "X-TODOD-MUTED": .muted,
        "X-TODOD-SNOOZED-UNTIL": .snoozedUntil,
    ]
    private static let states = [
        "NEEDS-ACTION": "open", "IN-PROCESS": "open, in progress", "COMPLETED": "done",
        "CANCELLED": "cancelled",
    ]
    private static let valueBytesLimit = 400

    /// The name in iCalendar.
    let name: String

    private var field: ItemField? { Self.fields[name] }

    /// The label of the property in a list: `Due`.
    var label: String { field?.traits.label ?? phrase.prefix(1).uppercased() + phrase.dropFirst() }

    /// The property in a sentence: `due time`. A property without a field has its name in iCalendar.
    var phrase: String { field?.phrase ?? name.lowercased().oneLine(bytesLimit: 40) }

    /// Returns the present value of the item, or `none`.
    func presentValue(of item: Item, _ session: Session) -> String {
        guard let field else { return "kept as it is on the server" }
        let text =
            field == .parent
            ? item.parent.map { "item \($0)" } : GetItemCommand.text(of: field, in: item, session)
        return text ?? "none"
    }

    /// Whether a lost value is the present one. A rule is shown in words, and its lost value is not.
    func isPresent(_ value: String, in item: Item, _ session: Session) -> Bool {
        value == (field == .every ? item.recurrence : presentValue(of: item, session))
    }

    /// Returns the value that lost, or `none` if the change removed the property.
    func lostValue(in lines: [CalendarLine], _ session: Session) -> String {
        let values = lines.filter { $0.name == name }.map { text($0, session) }
        return values.isEmpty ? "none" : values.joined(separator: ", ")
    }

    private func text(_ line: CalendarLine, _ session: Session) -> String {
        switch field {
        case .completed: return Self.states[line.value.uppercased()] ?? shown(line.text)
        case .percent: return shown("\(line.value)%")
        case .priority where line.value == "0": return "none"
        default: break
        }
        guard let time = line.time else { return shown(line.text) }
        return session.words.momentWithDistance(time)
    }

    private func shown(_ text: String) -> String { text.oneLine(bytesLimit: Self.valueBytesLimit) }
}
