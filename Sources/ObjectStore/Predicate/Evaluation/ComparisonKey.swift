/// A value as comparisons see it: keys are equal, and stand in an order, exactly when the language says
/// so of the values.
///
/// Numbers are compared as numbers whatever their types, to the last bit; texts by their folded form.
/// Keys of values that cannot be compared never meet: the check of a predicate sees to that.
enum ComparisonKey: Hashable {
    case integer(Int64)
    /// Never a whole number that fits in an integer.
    case double(Double)
    case text(FoldedText)
    case bytes([UInt8])
    case uuid(UUIDValue)

    /// Nil for nil, which equals no value.
    init?(_ value: AttributeValue, _ options: FetchPredicate.StringOptions = []) {
        switch value {
        case .null: return nil
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self.init(number)
        case .date(let moment): self.init(moment.secondsSince1970)
        case .string(let text), .uri(let text): self = .text(FoldedText(text, options))
        // What is no number equals what is written alike, and nothing else.
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

    /// Compares without rounding the integer: a double that is no integer lies between two of them, or
    /// beyond them all.
    private static func isLess(_ integer: Int64, _ number: Double) -> Bool {
        if number >= 0x1p63 { return true }
        if number < -0x1p63 { return false }
        return integer <= Int64(number.rounded(.down))
    }
}

extension ResolvedCondition.Relation {
    /// Whether it holds between two values; nil equals nil and fails everything else.
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

    /// The relation with its sides exchanged.
    var mirrored: Self {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
