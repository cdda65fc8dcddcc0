internal import CivilTime
internal import Phrases

/// A time or a time span, typed as one argument or several: `for 5 hours`, `"until tomorrow 9am"`.
struct TypedTime {
    private var words: [Substring]

    init(_ words: [String] = []) {
        let parts = words.flatMap { $0.split(whereSeparator: \.isWhitespace) }
        // A blank argument probably comes from a variable that is not set. It is an invalid time, not a missing one.
        self.words = parts.isEmpty && !words.isEmpty ? [""] : parts
    }

    /// Whether no argument was typed.
    var isEmpty: Bool { words.isEmpty }

    /// Returns the text for the daemon, without a first word that is one of `fillers`.
    func text(after fillers: String...) -> String {
        let isLed = words.count > 1 && fillers.contains(words[0].lowercased())
        return words.dropFirst(isLed ? 1 : 0).joined(separator: " ")
    }

    /// Whether the first word needs a number before it: `minutes`, `pm` or `dec`.
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
