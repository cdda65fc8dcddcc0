extension StringProtocol {
    /// Whether the text contains a visible character.
    package var isVisible: Bool {
        // Most texts begin with a visible character of ASCII, and need no tables.
        utf8.contains { (0x21...0x7E).contains($0) } || unicodeScalars.contains(where: \.isVisible)
    }
}

extension Character {
    /// Whether the character is or has a control character, such as a line break.
    package var isControl: Bool { unicodeScalars.contains { $0.properties.generalCategory == .control } }
}

extension Unicode.Scalar {
    /// Whether the character is visible: not a space, a control character, or a mark that only changes other
    /// characters.
    fileprivate var isVisible: Bool {
        // The blank braille pattern is a symbol by its category, and the Hangul filler is a letter. Neither is visible.
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || self == "\u{2800}" {
            return false
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .nonspacingMark, .enclosingMark: return false
        default: return true
        }
    }
}
