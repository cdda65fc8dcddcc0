/// The words of a time phrase, which are taken from the front as they are understood.
package struct PhraseWords {
    package var words: ArraySlice<Substring>
    /// The words before any of them was taken.
    let all: ArraySlice<Substring>
    /// The numbers of words after each comma. Words are only taken from the front, so these numbers do not change.
    let commas: Set<Int>

    /// Creates a phrase of words in lower case.
    package init(_ words: ArraySlice<Substring>, commas: Set<Int> = []) {
        self.words = words
        self.commas = commas
        all = words
    }

    /// Returns the words of the parts between commas, and the numbers of words after each comma.
    package static func joined(_ parts: [[Substring]]) -> (words: [Substring], commas: Set<Int>) {
        let words = parts.flatMap(\.self)
        var count = words.count
        let commas = parts.dropLast().map { part in
            count -= part.count
            return count
        }
        return (words, Set(commas))
    }

    /// Splits a text into words.
    ///
    /// The brackets around it, apostrophes and the dots of abbreviations are removed.
    package init(_ text: String) {
        var text = text.lowercased()[...]
        text.removeAll { $0 == "'" || $0 == "\u{2019}" }
        text = text.trimmed
        for (open, close) in [("<", ">"), ("[", "]"), ("(", ")")] as [(Character, Character)]
        where text.first == open && text.last == close && text.count > 1 {
            text = text.dropFirst().dropLast()
        }
        var (words, commas) = Self.joined(
            text.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.split(whereSeparator: \.isWhitespace).flatMap(Self.parts)
            })
        // Without a time after it, `@` is not `at`. An error then names it as it was typed.
        if text.last == "@" { words[words.endIndex - 1] = "@" }
        self.init(words[...], commas: commas)
    }

    /// Returns the words that make up a word between spaces: `2026-12-24t18:00z` is a day, a time and a zone.
    private static func parts(of word: Substring) -> [Substring] {
        let first = word.prefix { $0.isASCIIDigit || $0 == "-" }
        let rest = word[first.endIndex...]
        if rest.first == "t", [8, 10].contains(first.count), rest.dropFirst().first?.isASCIIDigit == true {
            return [first] + zoned(basic(rest.dropFirst()))
        }
        if word == "@" { return ["at"] }
        if let mark = word.firstIndex(of: "@"), mark > word.startIndex {
            let rest = word[word.index(after: mark)...]
            return parts(of: word[..<mark]) + ["at"] + (rest.isEmpty ? [] : parts(of: rest))
        }
        if word.hasPrefix("mid-") { return ["mid", word.dropFirst(4)] }
        if let dotless = dotless(word) { return [dotless] }
        if let sum = sum(word) { return sum }
        if let date = dayAndMonth(word) { return date }
        return word.contains(":") ? zoned(word) : [word]
    }

    /// Returns `17:00` for `1700`, as it is written after a date without dashes.
    private static func basic(_ word: Substring) -> Substring {
        let digits = word.prefix(while: \.isASCIIDigit)
        guard [4, 6].contains(digits.count) else { return word }
        let rest = word[digits.endIndex...]
        let pairs = stride(from: 0, to: digits.count, by: 2).map { digits.dropFirst($0).prefix(2) }
        return Substring(pairs.joined(separator: ":") + rest)
    }

    /// Splits a time from its zone: `18:00+01:00`, `18:00z`.
    private static func zoned(_ word: Substring) -> [Substring] {
        guard let mark = word.firstIndex(where: { "+-z".contains($0) }), mark > word.startIndex else {
            return [word]
        }
        return [word[..<mark], word[mark...]]
    }

    /// Returns a word without the dots of an abbreviation, or `nil` if it has no such dots.
    ///
    /// `p.m.` becomes `pm`, and `fri.` becomes `fri`.
    private static func dotless(_ word: Substring) -> Substring? {
        guard word.hasSuffix(".") || word.hasSuffix(".m") else { return nil }
        let digits = word.prefix { $0.isASCIIDigit || $0 == ":" }
        let letters = word[digits.endIndex...]
        guard letters.contains(where: \.isLetter), letters.allSatisfy({ $0.isLetter || $0 == "." }) else {
            return nil
        }
        return digits + letters.filter(\.isLetter)
    }

    /// Splits a time from a sign and a length: `now+3d`, `eom-2d`.
    private static func sum(_ word: Substring) -> [Substring]? {
        guard let mark = word.lastIndex(where: { $0 == "+" || $0 == "-" }), mark > word.startIndex,
            word[word.index(after: mark)...].first?.isASCIIDigit == true, word.last?.isLetter == true,
            word[..<mark].allSatisfy({ $0.isLetter || $0.isASCIIDigit || $0 == ":" })
        else { return nil }
        return [word[..<mark], word[mark...]]
    }

    /// Splits a date into its day, month and year: `24dec`, `dec24`, `24-dec-2026`.
    private static func dayAndMonth(_ word: Substring) -> [Substring]? {
        var parts: [Substring] = []
        var rest = word
        while let first = rest.first {
            let part =
                first.isASCIIDigit ? rest.prefix(while: \.isASCIIDigit) : rest.prefix(while: \.isLetter)
            guard !part.isEmpty else { return nil }
            parts.append(part)
            rest = rest[part.endIndex...]
            if ["-", "/", "."].contains(rest.first), rest.count > 1 { rest = rest.dropFirst() }
        }
        let months = parts.filter { month($0) != nil }
        let isDate =
            parts.count > 1 && months.count == 1
            && parts.allSatisfy { month($0) != nil || $0.allSatisfy(\.isASCIIDigit) }
        return isDate ? parts : nil
    }

    package var isEmpty: Bool { words.isEmpty }
    var rest: String { words.joined(separator: " ") }

    /// Takes these words if they are next.
    mutating func take(_ expected: String...) -> Bool {
        guard words.starts(with: expected.map { Substring($0) }) else { return false }
        words = words.dropFirst(expected.count)
        return true
    }

    /// Takes the next word if it is one of these.
    mutating func take(anyOf expected: Set<String>) -> Bool {
        guard let word = words.first, expected.contains(String(word)) else { return false }
        takeFirst()
        return true
    }

    /// Takes the next words if they can be read as a value.
    mutating func takeIf<Value>(
        _ read: (inout PhraseWords) throws(DatePhraseError) -> Value?
    ) throws(DatePhraseError) -> Value? {
        let before = words
        if let value = try read(&self) { return value }
        words = before
        return nil
    }

    mutating func takeFirst() { words = words.dropFirst() }
    mutating func take(count: Int) { words = words.dropFirst(count) }
    func word(_ index: Int) -> Substring? { words.dropFirst(index).first }

    /// Takes words before a time that do not change it, such as `by`, `until` or `due on`.
    mutating func takeLeadIn() {
        while words.count > 1, take(anyOf: Self.leadIn) {}
    }

    private static let leadIn: Set<String> = ["by", "due", "until", "till", "til", "for"]

    /// Whether a word before a time does not change it.
    static func isLeadIn(_ word: Substring) -> Bool { leadIn.contains(word.lowercased()) }

    /// Whether the next words are all but the words before a time that do not change it.
    var isAfterLeadIn: Bool {
        all.dropLast(words.count).allSatisfy { Self.leadIn.contains(String($0)) }
    }

    var startsWithSign: Bool { words.first.map { $0.hasPrefix("+") || $0.hasPrefix("-") } ?? false }
}

extension Character {
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension StringProtocol {
    /// Whether the text consists of this many digits.
    func isDigits(_ counts: ClosedRange<Int>) -> Bool {
        counts.contains(count) && allSatisfy(\.isASCIIDigit)
    }
}
