extension StringProtocol {
    /// Whether a person can see anything of the text.
    package var isVisible: Bool { unicodeScalars.contains(where: \.isVisible) }
}

extension Unicode.Scalar {
    /// Whether a person can see the character: no space, no control character, and none that only changes others.
    fileprivate var isVisible: Bool {
        // A braille pattern without dots and a space for Hangul are symbols and letters by their class.
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || self == "\u{2800}" {
            return false
        }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .nonspacingMark, .enclosingMark: return false
        default: return true
        }
    }
}
