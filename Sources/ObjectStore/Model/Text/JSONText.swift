enum JSONText {
    /// Returns a text as a JSON string.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\u{0}"..<" ": result += "\\u00" + [UInt8(scalar.value)].hexadecimal
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
