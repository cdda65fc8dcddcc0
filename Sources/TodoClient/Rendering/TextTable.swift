/// Columns of text under a heading; the last column gives way where the terminal is too narrow.
struct TextTable {
    struct Column {
        enum Alignment {
            case left, right
        }

        let title: String
        let alignment: Alignment
        /// Left out, the last such first, where the terminal is too narrow for the last column.
        let isDispensable: Bool
        /// So wide at most where the table is too wide: one long text does not drive out those of all other lines.
        let widthLimit: Int

        init(
            _ title: String, alignment: Alignment = .left, isDispensable: Bool = false, widthLimit: Int = .max
        ) {
            self.title = title
            self.alignment = alignment
            self.isDispensable = isDispensable
            self.widthLimit = widthLimit
        }
    }

    /// Cells of one line, fit for a terminal.
    struct Row {
        var cells: [String]
        var style = Style.plain
        /// The heading of a group that begins with this row: a line of its own, set off by an empty one.
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
    private static let leastLastColumn = 20

    let columns: [Column]
    let rows: [Row]

    /// The lines, without a newline at the end. In a pipe nothing is cut and nothing coloured.
    func text(for page: Output.Page) -> String {
        let heading = Row(cells: columns.map(\.title), style: .heading)
        let widths = widths(of: [heading] + rows, fitting: page.columns)
        if let limit = page.columns, total(widths) > limit,
            let index = columns.lastIndex(where: \.isDispensable)
        {
            return without(column: index).text(for: page)
        }
        func styled(_ line: String, _ style: Style) -> String {
            page.hasColour && style != .plain ? style.rawValue + line + "\u{1B}[0m" : line
        }
        return ([heading] + rows).flatMap { row in
            let group = row.heading.map { ["", styled($0.truncated(to: page.columns ?? .max), .heading)] }
            return (group ?? []) + [styled(line(row, widths), row.style)]
        }.joined(separator: "\n")
    }

    private func widths(of rows: [Row], fitting limit: Int?) -> [Int] {
        var widths = columns.indices.map { index in rows.map { $0.cells[index].displayWidth }.max() ?? 0 }
        if let limit, total(widths) > limit, let last = widths.indices.last {
            for index in columns.indices { widths[index] = min(widths[index], columns[index].widthLimit) }
            let others = total(widths) - widths[last]
            widths[last] = min(widths[last], max(Self.leastLastColumn, limit - others))
        }
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
        return TextTable(columns: columns, rows: rows)
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
