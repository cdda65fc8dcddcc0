internal import CivilTime
internal import TodoAPI

/// The table of completions that `history` prints, the newest first.
struct HistoryTable {
    /// The width of the category column in a narrow terminal.
    private static let categoryColumns = 8...16
    /// The width of the column with the word `skipped` in a narrow terminal.
    private static let skippedColumns = 4...7

    let entries: [HistoryEntry]
    let session: Session

    var text: String {
        // Omit columns that would be empty.
        let showsSkipped = entries.contains { $0.skipped == true }
        let showsDue = entries.contains { $0.due != nil }
        let showsCategory = entries.contains { $0.category != nil }
        var columns = [TextTable.Column("ID", alignment: .right), .init("DONE")]
        if showsSkipped { columns.append(.init("", narrowWidths: Self.skippedColumns)) }
        if showsDue { columns.append(.init("DUE", dropRank: 1)) }
        if showsCategory {
            columns.append(.init("CATEGORY", dropRank: 0, narrowWidths: Self.categoryColumns))
        }
        columns.append(.init("ITEM"))
        let rows = entries.map { entry in
            let isSkipped = entry.skipped == true
            var cells = [String(entry.id), session.words.shortMoment(entry.at)]
            if showsSkipped { cells.append(isSkipped ? "skipped" : "") }
            if showsDue { cells.append(entry.due.map { session.words.shortMoment($0) } ?? "") }
            if showsCategory { cells.append(entry.category?.oneLine() ?? "") }
            cells.append(entry.name.oneLine())
            return TextTable.Row(cells: cells, style: isSkipped ? .past : .plain)
        }
        return TextTable(columns: columns, rows: rows).text(for: session.page)
    }
}
