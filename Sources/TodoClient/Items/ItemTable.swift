internal import CivilTime
internal import Phrases
internal import TodoAPI

/// The table of items that `list` prints.
struct ItemTable {
    /// An item is marked if it is due within this time.
    private static let soonSeconds = 3_600.0

    /// The width of the category column in a narrow terminal.
    private static let categoryColumns = 8...16
    /// The width of the column with the tags in a narrow terminal.
    private static let tagsColumns = 8...16

    /// The most characters of notes in a table, which is more than a terminal shows.
    private static let notesCharacters = 500

    /// The fields in a table, in addition to those that every item has.
    ///
    /// - Parameter page: only a terminal shows the notes, as far as it has room.
    static func fields(for page: Output.Page) -> [String] { fields + (page.columns == nil ? [] : ["notes"]) }

    private static let fields = [
        "due", "recurrence", "category", "categoryMuted", "tags", "percent", "children", "childrenDone",
        "blocked",
    ]

    let groups: [ItemGrouping.Group]
    /// The grouping of the table, or `nil` for a table without headings.
    let grouping: ItemGrouping?
    let session: Session

    var text: String {
        let items = groups.flatMap(\.items)
        // Omit columns that would be empty.
        let showsDue = items.contains { $0.due != nil }
        // Only lists of items that wait ask for the start.
        let showsStart = items.contains { $0.start != nil }
        let showsWhen = items.contains { !distance(to: $0).isEmpty }
        let showsMark = items.contains { !mark(of: $0).isEmpty }
        let showsPriority = grouping != .priority && items.contains { $0.priority != 0 }
        let showsCategory = grouping != .category && items.contains { $0.category != nil }
        let showsPercent = items.contains { percent(of: $0) != nil }
        let showsSubtasks = items.contains { $0.children != nil }
        let showsTags = items.contains { $0.tags?.isEmpty == false }
        var columns = [TextTable.Column("ID", alignment: .right)]
        if showsMark { columns.append(.init("")) }
        if showsPriority { columns.append(.init("PRI", alignment: .right, dropRank: 4)) }
        if showsStart { columns.append(.init("START")) }
        if showsDue { columns.append(.init("DUE")) }
        if showsWhen { columns.append(.init("WHEN", dropRank: showsDue ? 1 : nil)) }
        if showsCategory {
            columns.append(.init("CATEGORY", dropRank: 3, narrowWidths: Self.categoryColumns))
        }
        if showsPercent { columns.append(.init("%", alignment: .right, dropRank: 0)) }
        if showsSubtasks { columns.append(.init("SUB", alignment: .right, dropRank: 0)) }
        if showsTags { columns.append(.init("TAGS", dropRank: 2, narrowWidths: Self.tagsColumns)) }
        columns.append(.init("ITEM"))
        var rows = items.map { item in
            var cells = [String(item.id)]
            if showsMark { cells.append(mark(of: item)) }
            if showsPriority { cells.append(item.priority == 0 ? "" : String(item.priority)) }
            if showsStart { cells.append(item.start.map { session.words.shortMoment($0) } ?? "") }
            if showsDue { cells.append(item.due.map { session.words.shortMoment($0) } ?? "") }
            if showsWhen { cells.append(distance(to: item)) }
            if showsCategory { cells.append(item.category?.oneLine() ?? "") }
            if showsPercent { cells.append(percent(of: item).map(String.init) ?? "") }
            if showsSubtasks { cells.append(Self.subtasks(of: item)) }
            if showsTags { cells.append(Self.text(of: item.tags ?? [])) }
            cells.append(item.name.oneLine())
            return TextTable.Row(
                cells: cells, rest: Self.firstLine(of: item.notes ?? ""), style: urgency(of: item).style)
        }
        var first = 0
        for group in groups {
            rows[first].heading = group.title.map { "\($0) (\(group.items.count))" }
            first += group.items.count
        }
        let hasNotes = rows.contains { !$0.rest.isEmpty }
        return TextTable(columns: columns, rows: rows, restTitle: hasNotes ? "NOTES" : nil)
            .text(for: session.page)
    }

    /// Returns the first line with text.
    private static func firstLine(of notes: String) -> String {
        notes.split(whereSeparator: \.isNewline).first { !$0.allSatisfy(\.isWhitespace) }
            .map { String($0.trimmed.prefix(notesCharacters)).oneLine() } ?? ""
    }

    /// Returns the tags as `+errand +post`.
    private static func text(of tags: [String]) -> String {
        tags.map { "+\($0.oneLine())" }.joined(separator: " ")
    }

    /// Returns the progress of an open item.
    private func percent(of item: Item) -> Int64? { item.completed ? nil : item.percent }

    /// Returns the distance to the due time or to the completion: `in 3 h`, `done 5 min ago`.
    private func distance(to item: Item) -> String {
        if item.completed { return item.completedAt.map { "done \(session.words.distance(to: $0))" } ?? "" }
        // The column with the due time says today and tomorrow.
        guard let due = item.due, due.wholeDay == nil || !session.words.isNear(due) else { return "" }
        return session.words.distance(to: due)
    }

    /// Returns the number of completed subtasks of all, as `2/5`.
    private static func subtasks(of item: Item) -> String {
        item.children.map { "\(item.childrenDone ?? 0)/\($0)" } ?? ""
    }

    /// Returns the marks before an item: its urgency, `↻` if it repeats, and `⊘` if it waits for another item.
    private func mark(of item: Item) -> String {
        urgency(of: item).mark + (item.recurrence == nil ? "" : "↻")
            + (item.blocked == true && !item.completed ? "⊘" : "")
    }

    /// Returns a letter and a style with the same meaning: `x` done, `!` overdue, `*` soon, `-` muted.
    ///
    /// An item is muted by itself or with its category.
    private func urgency(of item: Item) -> (mark: String, style: TextTable.Style) {
        if item.completed { return ("x", .past) }
        let isMuted = item.muted || item.categoryMuted ?? false
        guard let due = item.due else { return (isMuted ? "-" : "", .plain) }
        let seconds = due.moment(in: session.zone) - session.now
        if seconds < 0 { return ("!", .urgent) }
        if isMuted { return ("-", .plain) }
        let isSoon =
            seconds <= Self.soonSeconds || due.wholeDay != nil && session.words.direction(of: due) == .now
        return isSoon ? ("*", .soon) : ("", .plain)
    }
}
