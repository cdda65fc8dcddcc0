import CivilTime

extension PredicatePrinter {
    /// Writes a constant as a literal, or as a `CAST` of a literal if its type has none.
    mutating func print(_ value: AttributeValue) {
        switch value {
        case .null: write("nil")
        case .boolean(let flag): write(flag ? "YES" : "NO")
        case .integer(let number): write(String(number))
        case .double(let number): write(literal(number))
        case .string(let text): write(quoted(text))
        case .decimal(let digits): write(cast(quoted(digits), .decimal))
        case .date(let moment):
            write(cast(moment.iso8601.map(quoted) ?? literal(moment.secondsSince2001), .date))
        case .binary(let bytes): write(cast(quoted(bytes.hexadecimal), .binary))
        case .uuid(let identifier): write(cast(quoted(identifier.description), .uuid))
        case .uri(let address): write(cast(quoted(address), .uri))
        }
    }

    private func cast(_ literal: String, _ type: FetchPredicate.CastType) -> String {
        "CAST(\(literal), \"\(type.rawValue)\")"
    }

    /// Returns the literal of a double. Infinity is written as a number that is too large for a double.
    private func literal(_ number: Double) -> String {
        guard number.isInfinite else { return number.description }
        return number < 0 ? "-1e999" : "1e999"
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\u{0}"..<" ", "\u{7F}": result += "\\x" + [UInt8(scalar.value)].hexadecimal
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

extension AttributeValue {
    /// Whether the literal of the value begins with a minus sign.
    var isNegativeNumber: Bool {
        switch self {
        case .integer(let number): number < 0
        case .double(let number): number.sign == .minus
        default: false
        }
    }
}
