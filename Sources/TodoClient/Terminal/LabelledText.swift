/// Texts with a label before each, as `show` and `status` print them.
///
///     Name:          Pay the rent
///     Notes:         By transfer, and keep
///                    the receipt
struct LabelledText {
    /// The least width at which lines are wrapped. In a narrower column, most lines would have one word.
    private static let leastColumns = 16
    private static let labelColumns = 15

    /// The labels and texts. A text may have several lines.
    let entries: [(label: String, text: String)]

    /// Returns the lines without a newline at the end.
    ///
    /// If the output is not a terminal, lines are not wrapped.
    func text(for page: Output.Page) -> String {
        let room = page.columns.map { $0 - Self.labelColumns }.flatMap { $0 < Self.leastColumns ? nil : $0 }
        let indent = "\n" + String(repeating: " ", count: Self.labelColumns)
        return entries.map { label, text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let broken = lines.flatMap { $0.broken(to: room ?? .max) }
            let rest = broken.dropFirst().map { $0.isEmpty ? "\n" : indent + $0 }.joined()
            return "\(label):".padded(to: Self.labelColumns) + (broken.first ?? "") + rest
        }.joined(separator: "\n")
    }
}

extension Substring {
    /// Wraps the line at `columns`.
    ///
    /// A line is wrapped between words, or within a word that is longer than the line.
    func broken(to columns: Int) -> [Substring] {
        var lines: [Substring] = []
        var rest = self
        while let limit = rest.index(afterColumns: columns) {
            let isBetweenWords = rest[limit] == " "
            let space = isBetweenWords ? limit : rest[..<limit].lastIndex(of: " ")
            let end = space.flatMap { $0 == rest.startIndex ? nil : $0 } ?? limit
            lines.append(rest[..<end])
            rest = rest[end...].drop { $0 == " " }
        }
        return lines + [rest]
    }

    /// Returns the index of the first character that does not fit into `columns`, or `nil` if all fit.
    private func index(afterColumns columns: Int) -> Index? {
        var room = columns
        for index in indices {
            room -= self[index].displayWidth
            if room < 0 { return index == startIndex ? nil : index }
        }
        return nil
    }
}
