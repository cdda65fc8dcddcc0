internal import CLinux

extension String {
    /// The number of terminal columns that the text takes. A wide character takes two, and a combining one none.
    var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// Returns the text, shortened to `columns` with `…` at its end if it is too wide.
    func truncated(to columns: Int) -> String {
        if displayWidth <= columns { return self }
        var room = columns - 1
        var end = startIndex
        for character in self {
            room -= character.displayWidth
            if room < 0 { break }
            end = index(after: end)
        }
        return self[..<end] + "…"
    }
}

extension Character {
    /// The number of columns of the widest scalar. The others are marks on it, or are joined with it into one picture.
    var displayWidth: Int {
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        return unicodeScalars.map { max(0, Int(todod_column_width($0.value))) }.max() ?? 0
    }
}
