internal import CLinux

extension String {
    /// How many columns of a terminal this takes; wide characters take two, combining ones none.
    var displayWidth: Int {
        if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }

    /// This text cut to `columns`, with `…` where something is missing.
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
    /// A cluster is as wide as its widest part: the others are marks upon it, or joined into one picture.
    var displayWidth: Int {
        if unicodeScalars.contains("\u{FE0F}") { return 2 }
        return unicodeScalars.map { max(0, Int(todod_column_width($0.value))) }.max() ?? 0
    }
}
