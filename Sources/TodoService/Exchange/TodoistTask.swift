internal import ObjectStore
internal import Phrases
internal import Reminders

/// A task of a Todoist export, with the comments that follow it.
struct TodoistTask {
    /// A remark about a row.
    struct RowRemark {
        let line: Int
        let text: String
    }

    /// The line of the row, counted from 1.
    let line: Int
    /// The identity of the item, and that of its parent.
    let uid: String
    let parent: String?
    /// The text without its labels.
    let name: String
    let labels: [String]
    /// The section of the project, or `nil` for a task outside all sections.
    let section: String?
    private(set) var comments: [String] = []
    private let values: [TodoistColumns.Column: String]

    subscript(column: TodoistColumns.Column) -> String { values[column] ?? "" }

    /// Returns the tasks of the rows, in order, and remarks about the rows.
    static func tasks(
        of rows: ArraySlice<CSVRow>, _ columns: TodoistColumns, project: String?
    ) -> ([TodoistTask], ArraySlice<RowRemark>) {
        var (tasks, remarks): ([TodoistTask], ArraySlice<RowRemark>) = ([], [])
        var section: String?
        /// The identities of the last task and those above it.
        var parents: [String] = []
        var counts: [String: Int] = [:]
        for row in rows {
            let values = columns.values(of: row)
            let content = values[.content] ?? ""
            switch values[.type] ?? "" {
            case "task":
                let indent = values[.indent] ?? ""
                let level = max(1, Int(indent) ?? 1)
                parents.removeLast(max(0, parents.count - (level - 1)))
                if !indent.isEmpty, indent != String(parents.count + 1) {
                    remarks.append(
                        RowRemark(
                            line: row.line,
                            text: "the indent '\(indent.prefix(20))' is read as \(parents.count + 1)"))
                }
                let digest = SHA256.hexadecimal(
                    of: [project ?? "", parents.last ?? "", content].joined(separator: "\n"))
                let derived = "todoist-\(digest.prefix(32))"
                counts[derived, default: 0] += 1
                let count = counts[derived] ?? 1
                let task = TodoistTask(
                    line: row.line, uid: count == 1 ? derived : "\(derived)-\(count)", parent: parents.last,
                    content: content, section: section, values: values)
                parents.append(task.uid)
                tasks.append(task)
            case "section":
                section = content.isVisible ? content : nil
                parents = []
            case "note":
                if tasks.isEmpty {
                    remarks.append(RowRemark(line: row.line, text: "a comment of the project is omitted"))
                } else {
                    tasks[tasks.count - 1].comments.append(content)
                }
            // The view of the project in Todoist.
            case "meta", "": break
            case let type:
                remarks.append(
                    RowRemark(line: row.line, text: "a row of the type '\(type.prefix(60))' is omitted"))
            }
        }
        return (tasks, remarks)
    }

    private init(
        line: Int, uid: String, parent: String?, content: String, section: String?,
        values: [TodoistColumns.Column: String]
    ) {
        self.line = line
        self.uid = uid
        self.parent = parent
        self.section = section
        self.values = values
        let words = content.split { $0.isWhitespace || $0.isControl }
        let isLabel = { (word: Substring) in
            word.hasPrefix("@") && word.dropFirst().contains { $0.isLetter || $0.isNumber }
        }
        labels = words.filter(isLabel).map { String($0.dropFirst()) }
        name = words.filter { !isLabel($0) }.joined(separator: " ")
    }
}

/// The columns of a Todoist export, found by their names.
struct TodoistColumns {
    enum Column: String, CaseIterable {
        case type, content, description, priority, indent, date, deadline, duration
        case zone = "timezone"
        case unit = "duration_unit"
    }

    /// The columns about the export and not about a task.
    private static let ignored: Set = [
        "author", "date_lang", "deadline_lang", "is_collapsed", "meta", "view_style", "",
    ]

    private let columns: [Column?]
    private let names: [String]

    /// Returns `nil` if the columns of all exports are missing.
    init?(_ header: CSVRow) {
        names = header.values.map { String($0.trimmed) }
        columns = names.map { Column(rawValue: $0.lowercased()) }
        guard columns.contains(.type), columns.contains(.content) else { return nil }
    }

    func values(of row: CSVRow) -> [Column: String] {
        var values: [Column: String] = [:]
        for (column, value) in zip(columns, row.values) {
            if let column { values[column] = String(value.trimmed) }
        }
        return values
    }

    /// Returns the other columns that have values, and the number of rows with one.
    func unknown(in rows: ArraySlice<CSVRow>) -> [(column: String, count: Int)] {
        var counts = names.map { _ in 0 }
        for row in rows {
            for (index, value) in row.values.prefix(counts.count).enumerated() where !value.isEmpty {
                counts[index] += 1
            }
        }
        return zip(names, counts).enumerated().filter { index, column in
            columns[index] == nil && column.1 > 0 && !Self.ignored.contains(column.0.lowercased())
        }.map { ($0.element.0, $0.element.1) }
    }
}
