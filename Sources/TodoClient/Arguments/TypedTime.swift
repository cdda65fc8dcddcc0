internal import CivilTime
internal import Phrases

/// A time or a length of time, in one word of the shell or in several: `for 5 hours`, `"until tomorrow 9am"`.
struct TypedTime {
    private var words: [Substring]

    init(_ words: [String] = []) {
        let parts = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
        // Blank, it comes from a variable that is not set: that is a wrong time, and not none.
        self.words = parts.isEmpty && !words.isEmpty ? [""] : parts
    }

    /// Whether nothing was typed.
    var isEmpty: Bool { words.isEmpty }

    /// What the daemon reads, without the word that only leads to it, which is one of `fillers`.
    func text(after fillers: String...) -> String {
        let isLed = words.count > 1 && fillers.contains(words[0].lowercased())
        return words.dropFirst(isLed ? 1 : 0).joined(separator: " ")
    }

    /// Whether a number is missing in front: of `minutes`, `pm` or `dec`.
    var lacksNumber: Bool {
        guard let word = words.first?.lowercased(), !word.isEmpty, word.allSatisfy(\.isLetter) else {
            return false
        }
        return LengthUnit(word) != nil || ["am", "pm"].contains(word) || TimeInWords.isMonth(word)
    }

    mutating func insert(number: String) {
        words.insert(number[...], at: 0)
    }
}
