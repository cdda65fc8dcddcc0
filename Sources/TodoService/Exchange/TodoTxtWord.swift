internal import Reminders

/// The words of a line of todo.txt, and the escapes in them.
///
/// A word of a name that looks like a mark, a project, a context or a known key gets a backslash: `\+1` or `\due:friday`.
/// Spaces in projects, contexts and identifiers are written as in URLs: `+Home%20office`.
enum TodoTxtWord {
    /// The keys that have a meaning here. Words with other keys belong to the name.
    static let keys: Set = ["due", "at", "t", "rec", "rrule", "pri", "id", "p", "uid"]

    private static let backslash = UInt8(ascii: "\\")

    /// Returns the words of a text, which spaces, tabs and other control characters separate.
    ///
    /// A word is empty between two separators.
    static func words(of text: some StringProtocol) -> [Substring] {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            plain.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return Substring(String(plain)).utf8.split(
            separator: UInt8(ascii: " "), omittingEmptySubsequences: false
        ).map { Substring($0) }
    }

    /// Whether a line has control characters within it, except tabs.
    static func hasControlCharacters(_ line: Substring) -> Bool {
        let scalars = line.unicodeScalars
        return (scalars.last == "\r" ? scalars.dropLast() : scalars[...]).contains { scalar in
            scalar.properties.generalCategory == .control && scalar != "\t"
        }
    }

    /// Returns the words as one text, without empty ones at the ends.
    static func text(of words: [Substring]) -> String {
        let first = words.firstIndex { !$0.isEmpty } ?? words.endIndex
        let last = words.lastIndex { !$0.isEmpty } ?? first
        return first == words.endIndex ? "" : words[first...last].joined(separator: " ")
    }

    /// Returns the text after `+` of a project or `@` of a context, or `nil` for another word.
    static func label(_ word: Substring, _ sign: Unicode.Scalar) -> String? {
        let scalars = word.unicodeScalars
        guard scalars.first == sign else { return nil }
        let name = plain(Substring(scalars.dropFirst()))
        return name.isVisible ? name : nil
    }

    /// Returns the key and the value of a word such as `due:2026-11-27`, or `nil` if the key is not a known one.
    static func value(_ word: Substring) -> (key: String, text: Substring)? {
        let bytes = word.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let key = String(word[..<colon])
        let text = Substring(bytes[bytes.index(after: colon)...])
        return keys.contains(key) && !text.isEmpty ? (key, text) : nil
    }

    /// Returns the letter of a priority such as `(A)`, or `nil` for another word.
    static func priority(_ word: Substring) -> UInt8? {
        let bytes = Array(word.utf8)
        guard bytes.count == 3, bytes[0] == UInt8(ascii: "("), bytes[2] == UInt8(ascii: ")") else {
            return nil
        }
        return letter(bytes[1])
    }

    /// Returns a byte if it is a letter from A to Z.
    static func letter(_ byte: UInt8) -> UInt8? {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte : nil
    }

    // MARK: - Names

    /// Returns a word of a name as it is written.
    ///
    /// - Parameter isFirst: whether it is the first word of the name, which could be a mark of the line.
    static func escaped(_ word: Substring, isFirst: Bool) -> String {
        isSpecial(withoutBackslashes(word), isFirst: isFirst) ? "\\\(word)" : String(word)
    }

    /// Returns a word of a name as it is meant.
    static func unescaped(_ word: Substring, isFirst: Bool) -> Substring {
        let rest = withoutBackslashes(word)
        guard rest.utf8.count < word.utf8.count, isSpecial(rest, isFirst: isFirst) else { return word }
        return Substring(word.utf8.dropFirst())
    }

    private static func withoutBackslashes(_ word: Substring) -> Substring {
        Substring(word.utf8.drop { $0 == backslash })
    }

    private static func isSpecial(_ word: Substring, isFirst: Bool) -> Bool {
        if label(word, "+") != nil || label(word, "@") != nil || value(word) != nil { return true }
        guard isFirst else { return false }
        return word == "x" || priority(word) != nil || TodoTxtLine.date(word) != nil
    }

    // MARK: - Labels

    /// Returns the name of a project or a context, or an identifier, without spaces.
    static func encoded(_ name: String) -> String {
        var text = String.UnicodeScalarView()
        let scalars = Array(name.unicodeScalars)
        for (index, scalar) in scalars.enumerated() {
            let isEscape =
                scalar == "%" && scalars.dropFirst(index + 1).prefix(2).count { hex($0) != nil } == 2
            guard isEscape || scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            else {
                text.append(scalar)
                continue
            }
            for byte in String(scalar).utf8 {
                let digits = String(byte, radix: 16, uppercase: true)
                text.append(contentsOf: ("%" + (byte < 16 ? "0" : "") + digits).unicodeScalars)
            }
        }
        return String(text)
    }

    /// Returns the text that `encoded` has written. A text whose escapes are not UTF-8 is returned as it is.
    static func plain(_ text: Substring) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hex(Unicode.Scalar(bytes[index + 1])),
                let low = hex(Unicode.Scalar(bytes[index + 2]))
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(validating: result, as: UTF8.self) ?? String(text)
    }

    private static func hex(_ scalar: Unicode.Scalar) -> UInt8? {
        guard scalar.isASCII, let digit = Character(scalar).hexDigitValue else { return nil }
        return UInt8(digit)
    }
}
