internal import Platform
internal import SQLiteDriver

/// The words that a text has to contain: the right operand of `CONTAINS[search]`.
///
///     milk eggs        both words, in any order
///     mil*             a word that begins with "mil"
///     "whole milk"     the two words, one after the other
///
/// Words are compared without case and accents. All other characters separate words, so every text is a valid search. A
/// search without words is true for no text.
package struct WordSearch: Sendable {
    /// Words that follow each other in a text.
    fileprivate struct Phrase: Sendable {
        /// The phrase as it was written.
        let text: String
        let words: [[UInt8]]
        /// Whether the last word is the beginning of a word.
        let isPrefix: Bool
    }

    /// The error if this computer's SQLite cannot divide texts into words.
    struct Unavailable: Error {}

    private let phrases: [Phrase]

    /// Reads a search.
    ///
    /// - Throws: ``Unavailable`` if SQLite was built without FTS5, which divides texts into words.
    init(_ search: String) throws(Unavailable) {
        guard Self.tokenizer.withLock({ $0 != nil }) else { throw Unavailable() }
        var phrases: [Phrase] = []
        // A mark after a quotation mark makes one character with it, so the text is divided by scalars. Every second part
        // is between quotation marks.
        let parts = search.normalized.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        for (number, part) in parts.enumerated() {
            let isQuoted = number % 2 == 1
            let texts = isQuoted ? [part] : part.split(whereSeparator: \.properties.isWhitespace)
            for text in texts {
                let words = Self.words(of: String(text))
                guard !words.isEmpty else { continue }
                phrases.append(
                    Phrase(text: String(text), words: words, isPrefix: !isQuoted && text.last == "*"))
            }
        }
        self.phrases = phrases
    }

    /// Whether the search has no words.
    var isEmpty: Bool { phrases.isEmpty }

    /// Whether a text contains all words. The text is in the form NFC, like the texts of a store.
    func matches(utf8 text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !phrases.isEmpty else { return false }
        let words = Self.words(utf8: text)
        return phrases.allSatisfy { phrase in
            words.indices.contains { start in phrase.matches(words[start...]) }
        }
    }

    /// Returns the search of one column in the language of FTS5: `"title" : ("milk" AND "egg" *)`.
    func expression(forColumn column: String) -> String {
        let terms = phrases.map { phrase in
            // FTS5 reads its language up to a NUL.
            let text = phrase.text.unicodeScalars.split(separator: "\0").map(String.init).joined(
                separator: " ")
            return "\"\(text)\"" + (phrase.isPrefix ? " *" : "")
        }
        return "\"\(column)\" : (\(terms.joined(separator: " AND ")))"
    }

    // MARK: - Words

    private static let tokenizer = Locked<WordTokenizer?>(try? WordTokenizer())

    private static func words(of text: String) -> [[UInt8]] {
        var text = text
        return text.withUTF8 { words(utf8: $0) }
    }

    private static func words(utf8 text: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        let copy = Array(text)
        return tokenizer.withLock { $0?.words(of: copy) } ?? []
    }
}

extension WordSearch.Phrase {
    /// Whether a text begins with the phrase.
    fileprivate func matches(_ text: ArraySlice<[UInt8]>) -> Bool {
        guard text.count >= words.count, let last = words.last else { return false }
        let found = text.prefix(words.count)
        return found.dropLast().elementsEqual(words.dropLast())
            && (isPrefix ? found.last?.starts(with: last) == true : found.last == last)
    }
}
