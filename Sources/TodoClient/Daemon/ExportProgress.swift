internal import TodoAPI

/// The progress of an export, measured by the items in the exported text.
struct ExportProgress {
    private var bar: ProgressBar
    /// The text at the beginning of each item or category that is counted.
    private let mark: String
    private let total: Int64
    private var count: Int64 = 0

    /// Begins an export.
    ///
    /// - Parameter status: the total numbers of items and categories.
    init(of format: Export.Format, _ status: Status.Reply, _ bar: ProgressBar) {
        self.bar = bar
        switch format {
        case .json: (mark, total) = ("\n{", status.items + status.categories)
        case .icalendar: (mark, total) = ("BEGIN:VTODO", status.items)
        case .coredata: (mark, total) = ("<object type=\"TODO\"", status.items)
        case .taskwarrior: (mark, total) = ("\n{", status.items)
        case .todotxt: (mark, total) = ("\n", status.items)
        }
    }

    /// The exported share, from 0 to 1.
    var fraction: Double { total == 0 ? 1 : min(1, Double(count) / Double(total)) }

    /// Counts the items in a chunk of the text, and draws the bar.
    mutating func pass(_ text: String) {
        count += Self.occurrences(of: mark, in: text)
        show()
    }

    mutating func show() { bar.show(fraction, "exporting") }

    mutating func end() { bar.clear() }

    private static func occurrences(of mark: String, in text: String) -> Int64 {
        let mark = Array(mark.utf8)
        var text = text
        return text.withUTF8 { bytes in
            var count: Int64 = 0
            var rest = bytes[...]
            while let start = rest.firstIndex(of: mark[0]) {
                if rest[start...].starts(with: mark) { count += 1 }
                rest = rest[(start + 1)...]
            }
            return count
        }
    }
}
