internal import TodoAPI

/// The table with the counts and the streaks of repeating items.
struct HistoryCountsTable {
    let counts: [HistoryCounts]
    let session: Session

    var text: String {
        let columns: [TextTable.Column] = [
            .init("ID", alignment: .right), .init("DONE", alignment: .right),
            .init("SKIPPED", alignment: .right, dropRank: 0), .init("STREAK", alignment: .right),
            .init("LONGEST", alignment: .right, dropRank: 1), .init("ITEM"),
        ]
        let rows = counts.map { counts in
            let numbers = [
                counts.id, counts.done, counts.skipped, counts.streak, counts.longestStreak,
            ]
            return TextTable.Row(cells: numbers.map(String.init) + [counts.name.oneLine()])
        }
        return TextTable(columns: columns, rows: rows).text(for: session.page)
    }
}
