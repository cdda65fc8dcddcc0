/// The form of a value that comparisons use. Keys are ordered and equal exactly as the values are in predicates.
///
/// Numbers of all types are compared by their exact value, and texts by their folded form. `PredicateChecker` makes
/// sure that only values of comparable types are compared.
enum ComparisonKey: Hashable {
    case integer(Int64)
    /// A double that does not equal any `Int64`.
    case double(Double)
    case text(FoldedText)
    case bytes([UInt8])
    case uuid(UUIDValue)

    /// Creates the key of a value, or `nil` for `.null` and NaN.
    init?(_ value: AttributeValue, _ options: StringOptions = []) {
        switch value {
        case .null: return nil
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self.init(number)
        case .date(let moment): self.init(moment.secondsSince1970)
        case .string(let text), .uri(let text): self = .text(FoldedText(text, options))
        // A text that is not a number equals only the same text.
        case .decimal(let text): self = DecimalRank(text).map { .bytes($0.bytes) } ?? .text(FoldedText(text))
        case .binary(let bytes): self = .bytes(bytes)
        case .uuid(let identifier): self = .uuid(identifier)
        }
    }

    private init?(_ number: Double) {
        if number.isNaN { return nil }
        if let whole = Int64(exactly: number) { self = .integer(whole) } else { self = .double(number) }
    }
}

extension ComparisonKey: Comparable {
    static func < (left: ComparisonKey, right: ComparisonKey) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.integer(let left), .double(let right)): isLess(left, right)
        case (.double(let left), .integer(let right)): !isLess(right, left)
        case (.text(let left), .text(let right)): left < right
        case (.uuid(let left), .uuid(let right)): (left.high, left.low) < (right.high, right.low)
        case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }

    /// Compares without rounding the integer. `number` does not equal any `Int64`, so its floor decides.
    private static func isLess(_ integer: Int64, _ number: Double) -> Bool {
        if number >= 0x1p63 { return true }
        if number < -0x1p63 { return false }
        return integer <= Int64(number.rounded(.down))
    }
}

extension ResolvedCondition.Relation {
    /// Whether the relation is true for two values. Nil equals nil, and any other relation with nil is false.
    func holds(_ left: ComparisonKey?, _ right: ComparisonKey?) -> Bool {
        guard let left, let right else { return self == .equal && left == nil && right == nil }
        return switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: !(right < left)
        case .greater: right < left
        case .greaterOrEqual: !(left < right)
        }
    }

    /// The relation after its operands are swapped.
    package var mirrored: Self {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
