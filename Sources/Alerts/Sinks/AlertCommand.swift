internal import Platform
internal import TodoAPI

/// The program and the arguments of `Command=`, parsed by the rules of systemd. No shell is involved.
///
/// Spaces separate words. A word in `'` or `"` may contain spaces, and `\` begins an escape as in C: `\n`, `\t`, `\s`
/// for a space, `\\`, `\"`, `\'`, `\x41`, `\101`, `\u00e4`, `\U0001f514`.
package struct AlertCommand: Hashable, Sendable {
    /// An absolute path, or one that begins with `~/`.
    let program: String
    let arguments: [String]

    /// Parses a command line, or returns `nil` if a quote is not closed, an escape is invalid, or the path of the
    /// program begins with neither `/` nor `~/`.
    package init?(_ text: String) {
        var words = CommandWords(text)
        guard let all = words.all(), let program = all.first,
            program.hasPrefix("/") || program.hasPrefix("~/")
        else { return nil }
        self.program = program
        arguments = Array(all.dropFirst())
    }

    /// The path of the program, with the home directory in place of `~`.
    var path: String {
        program.hasPrefix("~/") ? Environment.home() + program.dropFirst() : program
    }
}

/// A parser for the words of a command line.
private struct CommandWords {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) { rest = Substring(text).unicodeScalars }

    mutating func all() -> [String]? {
        var words: [String] = []
        while true {
            rest = rest.drop(while: Self.isSpace)
            if rest.isEmpty { return words }
            guard let word = next() else { return nil }
            words.append(word)
        }
    }

    /// Returns the next word. A quote is special only at the beginning of a word, and the closing quote must end the
    /// word.
    private mutating func next() -> String? {
        var word = String.UnicodeScalarView()
        let quote = rest.first.flatMap { $0 == "\"" || $0 == "'" ? $0 : nil }
        if quote != nil { rest.removeFirst() }
        while let scalar = rest.popFirst() {
            if scalar == quote {
                return rest.first.map(Self.isSpace) ?? true ? String(word) : nil
            }
            if quote == nil, Self.isSpace(scalar) { return String(word) }
            if scalar == "\\" {
                guard let escaped = escape() else { return nil }
                word.append(escaped)
            } else {
                word.append(scalar)
            }
        }
        return quote == nil ? String(word) : nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let scalar = rest.popFirst() else { return nil }
        switch scalar {
        case "a": return "\u{07}"
        case "b": return "\u{08}"
        case "f": return "\u{0C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{0B}"
        case "s": return " "
        case "\\", "\"", "'": return scalar
        case "x": return code(digits: 2, radix: 16)
        case "u": return code(digits: 4, radix: 16)
        case "U": return code(digits: 8, radix: 16)
        case "0"..."7":
            rest = Substring(String(scalar) + String(rest)).unicodeScalars
            return code(digits: 3, radix: 8)
        default: return nil
        }
    }

    private mutating func code(digits: Int, radix: Int) -> Unicode.Scalar? {
        let text = String(Substring(rest.prefix(digits)))
        rest = rest.dropFirst(digits)
        guard text.utf8.count == digits, !text.hasPrefix("+"), let code = UInt32(text, radix: radix),
            // A byte above 0x7F is no character by itself, and a NUL would end the argument.
            code > 0, code < 0x80 || digits > 3
        else { return nil }
        return Unicode.Scalar(code)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r"
    }
}
