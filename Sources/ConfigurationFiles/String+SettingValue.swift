internal import CivilTime
internal import Phrases

extension String {
    /// Whether it has an invisible character: a space at an end, a control character, or a format character.
    ///
    /// The two joiners, which some scripts and emoji need, are allowed.
    package var hasInvisibleCharacter: Bool {
        first?.isWhitespace == true || last?.isWhitespace == true
            || unicodeScalars.contains { scalar in
                switch scalar.properties.generalCategory {
                case .control: true
                case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
                default: false
                }
            }
    }

    /// Whether one of its parts would be a time span if a number without a unit meant seconds.
    package var lacksUnit: Bool {
        split(separator: ",").contains { part in
            part.last?.isNumber == true && (try? TimeSpan(typed: part)) == nil
                && (try? TimeSpan(typed: part + "s")) != nil
        }
    }

    /// Whether a `#` or `;` follows a space, as in a comment after a value.
    package var hasTrailingComment: Bool {
        zip(self, dropFirst()).contains { space, mark in
            (space == " " || space == "\t") && (mark == "#" || mark == ";")
        }
    }
}
