/// A table of text columns, which can be fitted to a narrow terminal.
///
/// Columns are shortened to their least widths first. If this is not enough, columns are omitted in the order of their
/// ranks.
struct TextTable {
    struct Column {
        enum Alignment {
            case left, right
        }

        let title: String
        let alignment: Alignment
        /// The order in which columns are omitted in a narrow terminal, lowest rank first, or `nil` if the column is
        /// never omitted.
        let dropRank: Int?
        /// The greatest and least width of the column in a narrow terminal.
        ///
        /// It reaches its least width before columns are omitted.
        let narrowWidths: ClosedRange<Int>?

        init(
            _ title: String, alignment: Alignment = .left, dropRank: Int? = nil,
            narrowWidths: ClosedRange<Int>? = nil
        ) {
            self.title = title
            self.alignment = alignment
            self.dropRank = dropRank
            self.narrowWidths = narrowWidths
        }
    }

    /// The cells of one line, with their control characters already escaped.
    struct Row {
        var cells: [String]
        /// The text of the optional last column.
        var rest = ""
        var style = Style.plain
        /// The heading of the group that begins with this row. It is on a line of its own, below an empty line.
        var heading: String?
    }

    enum Style: String {
        case plain = ""
        case heading = "\u{1B}[1m"
        case urgent = "\u{1B}[1;31m"
        case soon = "\u{1B}[33m"
        case past = "\u{1B}[2m"
    }

    private static let gap = 2
    /// The least width of the optional last column.
    private static let leastRest = 12
    /// The least width of the last column: the upper bound before others become narrower, the lower bound before others
    /// are omitted.
    private static let lastColumnWidths = 12...20

    /// The greatest rank of a column that is omitted before the last one is shortened below its upper bound.
    private static let minorRank = 2

    let columns: [Column]
    let rows: [Row]
    /// The title of an optional last column, or `nil` for none.
    ///
    /// It gets the room that all others leave on the terminal, and is omitted if that is too little.
    var restTitle: String?

    /// Returns the lines without a newline at the end.
    ///
    /// If the output is not a terminal, cells are not shortened.
    func text(for page: Output.Page) -> String {
        let heading = Row(cells: columns.map(\.title), rest: restTitle ?? "", style: .heading)
        let allRows = [heading] + rows
        let widths = widths(of: allRows, fitting: page.columns)
        let droppable = columns.indices.filter { columns[$0].dropRank != nil }
        if let limit = page.columns, total(widths) > limit,
            let index = droppable.min(by: { columns[$0].dropRank ?? 0 < columns[$1].dropRank ?? 0 })
        {
            return without(column: index).text(for: page)
        }
        if let index = columnBeforeLast(widths, allRows) { return without(column: index).text(for: page) }
        func styled(_ line: String, _ style: Style) -> String {
            page.hasColour && style != .plain && !line.isEmpty ? style.rawValue + line + "\u{1B}[0m" : line
        }
        return allRows.flatMap { row in
            let group = row.heading.map { ["", styled($0.truncated(to: page.columns ?? .max), .heading)] }
            let line = line(row, widths)
            let rest = rest(of: row, after: line.displayWidth, widths, limit: page.columns)
            return (group ?? []) + [
                styled(line, row.style) + styled(rest, row.style == .heading ? .heading : .past)
            ]
        }.joined(separator: "\n")
    }

    /// Returns a minor column to omit because the last one, which has the names, is too narrow beside it.
    private func columnBeforeLast(_ widths: [Int], _ rows: [Row]) -> Int? {
        guard let last = widths.indices.last else { return nil }
        let whole = rows.map { $0.cells[last].displayWidth }.max() ?? 0
        guard widths[last] < min(whole, Self.lastColumnWidths.upperBound) else { return nil }
        let minor = columns.indices.filter { columns[$0].dropRank.map { $0 <= Self.minorRank } ?? false }
        return minor.min { columns[$0].dropRank ?? 0 < columns[$1].dropRank ?? 0 }
    }

    private func widths(of rows: [Row], fitting limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in rows.map { $0.cells[index].displayWidth }.max() ?? 0 }
        guard let limit, total(widths) > limit, let last = widths.indices.last else { return widths }
        func narrow(_ index: Int, to least: Int) {
            let excess = max(0, total(widths) - limit)
            widths[index] = min(widths[index], max(least, widths[index] - excess))
        }
        for index in columns.indices {
            widths[index] = min(widths[index], columns[index].narrowWidths?.upperBound ?? .max)
        }
        narrow(last, to: Self.lastColumnWidths.upperBound)
        for index in columns.indices {
            if let least = columns[index].narrowWidths?.lowerBound { narrow(index, to: least) }
        }
        narrow(last, to: Self.lastColumnWidths.lowerBound)
        return widths
    }

    private func total(_ widths: [Int]) -> Int {
        widths.reduce(0, +) + Self.gap * (widths.count - 1)
    }

    private func without(column: Int) -> TextTable {
        var columns = columns
        columns.remove(at: column)
        var rows = rows
        for index in rows.indices { rows[index].cells.remove(at: column) }
        return TextTable(columns: columns, rows: rows, restTitle: restTitle)
    }

    /// Returns the text of the optional last column with the space before it.
    private func rest(of row: Row, after width: Int, _ widths: [Int], limit: Int?) -> String {
        guard let limit, restTitle != nil, !row.rest.isEmpty else { return "" }
        let room = limit - total(widths) - Self.gap
        guard room >= Self.leastRest else { return "" }
        return String(repeating: " ", count: total(widths) + Self.gap - width) + row.rest.truncated(to: room)
    }

    private func line(_ row: Row, _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in row.cells.enumerated() {
            let cell = cell.truncated(to: widths[index])
            let padding = String(repeating: " ", count: widths[index] - cell.displayWidth)
            let isLast = index == row.cells.count - 1
            switch columns[index].alignment {
            case .left: line += cell + (isLast ? "" : padding)
            case .right: line += padding + cell
            }
            if !isLast { line += String(repeating: " ", count: Self.gap) }
        }
        return line
    }
}
