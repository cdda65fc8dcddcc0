extension ValidationRule {
    /// Returns how a value breaks a rule for its length or range, without the value, which may be private. Returns `nil` if it
    /// does not, and for the other rules.
    func violation(by value: AttributeValue) -> String? {
        switch self {
        case .length(let minimum, let maximum):
            if case .string(let text) = value,
                Self.surelyFits(text, minimum: minimum, maximum: maximum ?? .max)
            {
                return nil
            }
            guard let length = Self.length(of: value) else { return nil }
            if length < minimum { return "\(length) is less than \(minimum)" }
            if let maximum, length > maximum { return "\(length) is more than \(maximum)" }
            return nil
        case .range(let lower, let upper):
            if Self.isLess(value, lower) { return "less than the lower bound" }
            return Self.isLess(upper, value) ? "more than the upper bound" : nil
        case .required, .unique, .pattern: return nil
        }
    }

    /// Whether no value can be in a range, because the lower bound exceeds the upper one.
    static func isEmpty(from lower: AttributeValue, to upper: AttributeValue) -> Bool { isLess(upper, lower) }

    /// Whether a text has a valid length, as far as its bytes show. A text that is not empty has at least one character, and
    /// no more characters than bytes, so most texts need not be counted.
    @inline(__always)
    static func surelyFits(_ text: String, minimum: Int, maximum: Int) -> Bool {
        minimum <= 1 && text.utf8.count >= minimum && text.utf8.count <= maximum
    }

    /// Returns the number of characters of a text or bytes of binary data, or `nil` for any other value.
    private static func length(of value: AttributeValue) -> Int? {
        switch value {
        case .string(let text), .uri(let text): text.count
        case .binary(let bytes): bytes.count
        default: nil
        }
    }

    private static func isLess(_ left: AttributeValue, _ right: AttributeValue) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        case (.decimal, _), (_, .decimal): isLess(decimal: left, than: right)
        case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)): left < right
        case (.uuid(let left), .uuid(let right)): (left.high, left.low) < (right.high, right.low)
        default: false
        }
    }

    /// Compares two decimals. A bound may also be an integer or missing.
    private static func isLess(decimal left: AttributeValue, than right: AttributeValue) -> Bool {
        let values = [left, right].compactMap { value -> DecimalValue? in
            switch value {
            case .decimal(let text): DecimalValue(text)
            case .integer(let number): DecimalValue("\(number)")
            default: nil
            }
        }
        return values.count == 2 && values[0] < values[1]
    }
}
