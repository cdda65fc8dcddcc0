/// The words of a time phrase, taken from the front as they are understood.
package struct PhraseWords {
    package var words: ArraySlice<Substring>

    /// Words in small letters.
    package init(_ words: ArraySlice<Substring>) { self.words = words }

    package init(_ text: String) {
        words =
            text.lowercased().split { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "," }.flatMap(
                Self.parts)[...]
        if words.count > 1 { _ = take("by") }
    }

    /// `2026-12-24t18:00` is a day and a time.
    private static func parts(of word: Substring) -> [Substring] {
        guard let t = word.firstIndex(of: "t"), word[..<t].count == 10, word.first?.isNumber == true else {
            return [word]
        }
        return [word[..<t], word[word.index(after: t)...]]
    }

    package var isEmpty: Bool { words.isEmpty }
    var rest: String { words.joined(separator: " ") }

    /// Takes the word when it is the only one.
    mutating func takeOnly(_ word: String) -> Bool {
        guard words.count == 1, words.first.map(String.init) == word else { return false }
        words = []
        return true
    }

    /// Takes these words when they come next.
    mutating func take(_ expected: String...) -> Bool {
        guard words.starts(with: expected.map { Substring($0) }) else { return false }
        words = words.dropFirst(expected.count)
        return true
    }

    mutating func takeFirst() { words = words.dropFirst() }
}
