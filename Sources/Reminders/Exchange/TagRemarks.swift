/// Remarks about tags of another program that are changed or omitted, one for each reason.
package struct TagRemarks {
    enum Reason: CaseIterable {
        case changed, invisible, tooLong, tooMany

        fileprivate var text: String {
            switch self {
            case .changed: "the name of a tag has no comma, no control character, and no + or # before it"
            case .invisible: "the name of a tag has a visible character"
            case .tooLong:
                "the name of a tag has at most \(ReminderModel.tagNameLengths.upperBound) characters"
            case .tooMany: "an item has at most \(ReminderModel.tagsLimit) tags"
            }
        }
    }

    /// The number of tags with each reason, and the words about the first of them.
    private var found: [Reason: (count: Int, first: String)] = [:]

    package init() {}

    /// The remarks, such as `2 tags omitted, such as 'x' of 'Buy milk' (line 12): an item has at most 100 tags`.
    package var lines: [String] {
        Reason.allCases.compactMap { reason in
            guard let (count, first) = found[reason] else { return nil }
            let verb = reason == .changed ? "changed" : "omitted"
            let example = count == 1 ? ": \(first)" : ", such as \(first)"
            return "\(count) \(count == 1 ? "tag" : "tags") \(verb)\(example): \(reason.text)"
        }
    }

    mutating func add(_ reason: Reason, _ tag: String, becoming name: String, item: String, line: Int?) {
        if let known = found[reason] {
            found[reason] = (known.count + 1, known.first)
            return
        }
        let place = line.map { " (line \($0))" } ?? ""
        let change = reason == .changed ? ", which becomes '\(name)'" : ""
        found[reason] = (1, "'\(tag.prefix(60))' of '\(item.prefix(60))'\(place)\(change)")
    }
}
