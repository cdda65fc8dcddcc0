extension PropertyKey where Value: AttributeValueConvertible {
    /// Returns the condition that the property is equal to a value.
    public static func == (key: Self, value: Value) -> FetchPredicate {
        key.compared(.equal, .constant(of: value))
    }

    /// Returns the condition that the property is not equal to a value.
    public static func != (key: Self, value: Value) -> FetchPredicate {
        key.compared(.notEqual, .constant(of: value))
    }

    /// Returns the condition that the property is less than a value.
    public static func < (key: Self, value: Value) -> FetchPredicate {
        key.compared(.less, .constant(of: value))
    }

    /// Returns the condition that the property is at most a value.
    public static func <= (key: Self, value: Value) -> FetchPredicate {
        key.compared(.lessOrEqual, .constant(of: value))
    }

    /// Returns the condition that the property is greater than a value.
    public static func > (key: Self, value: Value) -> FetchPredicate {
        key.compared(.greater, .constant(of: value))
    }

    /// Returns the condition that the property is at least a value.
    public static func >= (key: Self, value: Value) -> FetchPredicate {
        key.compared(.greaterOrEqual, .constant(of: value))
    }

    /// `BETWEEN`. Both bounds are inclusive.
    public func isBetween(_ low: Value, and high: Value) -> FetchPredicate {
        compared(.between, .list([.constant(of: low), .constant(of: high)]))
    }

    /// `IN`
    public func isIn(_ values: some Sequence<Value>) -> FetchPredicate {
        compared(.in, .list(values.map { .constant(of: $0) }))
    }

    /// `IN`, for an optional property and values that are not optional.
    public func isIn<Wrapped: AttributeValueConvertible>(_ values: some Sequence<Wrapped>) -> FetchPredicate
    where Value == Wrapped? {
        compared(.in, .list(values.map { .constant(of: $0) }))
    }
}

// Comparisons of one property with another.
extension PropertyKey {
    /// Returns the condition that one property is equal to another.
    public static func == (left: Self, right: Self) -> FetchPredicate {
        left.compared(.equal, right)
    }

    /// Returns the condition that one property is not equal to another.
    public static func != (left: Self, right: Self) -> FetchPredicate {
        left.compared(.notEqual, right)
    }

    /// Returns the condition that one property is less than another.
    public static func < (left: Self, right: Self) -> FetchPredicate {
        left.compared(.less, right)
    }

    /// Returns the condition that one property is at most another.
    public static func <= (left: Self, right: Self) -> FetchPredicate {
        left.compared(.lessOrEqual, right)
    }

    /// Returns the condition that one property is greater than another.
    public static func > (left: Self, right: Self) -> FetchPredicate {
        left.compared(.greater, right)
    }

    /// Returns the condition that one property is at least another.
    public static func >= (left: Self, right: Self) -> FetchPredicate {
        left.compared(.greaterOrEqual, right)
    }
}

// Comparisons of one property with another, if only one of them is optional.
extension PropertyKey where Value: AttributeValueConvertible {
    /// Returns the condition that one property is equal to another.
    public static func == <Other: AttributeValueConvertible>(
        left: Self, right: PropertyKey<Other>
    ) -> FetchPredicate where Other.NonOptional == Value.NonOptional {
        left.compared(.equal, right)
    }

    /// Returns the condition that one property is not equal to another.
    public static func != <Other: AttributeValueConvertible>(
        left: Self, right: PropertyKey<Other>
    ) -> FetchPredicate where Other.NonOptional == Value.NonOptional {
        left.compared(.notEqual, right)
    }

    /// Returns the condition that one property is less than another.
    public static func < <Other: AttributeValueConvertible>(
        left: Self, right: PropertyKey<Other>
    ) -> FetchPredicate where Other.NonOptional == Value.NonOptional {
        left.compared(.less, right)
    }

    /// Returns the condition that one property is at most another.
    public static func <= <Other: AttributeValueConvertible>(
        left: Self, right: PropertyKey<Other>
    ) -> FetchPredicate where Other.NonOptional == Value.NonOptional {
        left.compared(.lessOrEqual, right)
    }

    /// Returns the condition that one property is greater than another.
    public static func > <Other: AttributeValueConvertible>(
        left: Self, right: PropertyKey<Other>
    ) -> FetchPredicate where Other.NonOptional == Value.NonOptional {
        left.compared(.greater, right)
    }

    /// Returns the condition that one property is at least another.
    public static func >= <Other: AttributeValueConvertible>(
        left: Self, right: PropertyKey<Other>
    ) -> FetchPredicate where Other.NonOptional == Value.NonOptional {
        left.compared(.greaterOrEqual, right)
    }
}

/// `String` or an optional `String`.
public protocol PredicateText {
    /// The type of a length: `Int`, or an optional `Int`.
    associatedtype Length: AttributeValueConvertible
}

extension String: PredicateText {
    public typealias Length = Int
}

extension String?: PredicateText {
    public typealias Length = Int?
}

extension PropertyKey where Value: PredicateText {
    /// `length(…)`: the number of Unicode scalars, in the form NFC.
    public var length: PropertyKey<Value.Length> {
        PropertyKey<Value.Length>(.function(.length, [operand]), quantifier: quantifier)
    }

    /// `lowercase(…)`
    public func lowercased() -> Self { Self(.function(.lowercase, [operand]), quantifier: quantifier) }

    /// `uppercase(…)`
    public func uppercased() -> Self { Self(.function(.uppercase, [operand]), quantifier: quantifier) }

    /// `==`, with options.
    public func equals(_ text: String, options: StringOptions) -> FetchPredicate {
        compared(.equal, .value(.string(text)), options: options)
    }

    /// `BEGINSWITH`
    public func begins(with part: String, options: StringOptions = []) -> FetchPredicate {
        compared(.beginsWith, .value(.string(part)), options: options)
    }

    /// `CONTAINS`
    public func contains(_ part: String, options: StringOptions = []) -> FetchPredicate {
        compared(.contains, .value(.string(part)), options: options)
    }

    /// `CONTAINS[search]`: all of these words, in any order. Write `egg*` for a word that begins with "egg", and
    /// `"whole milk"` for words that follow each other.
    public func contains(words: String) -> FetchPredicate {
        compared(.containsWords, .value(.string(words)))
    }

    /// `ENDSWITH`
    public func ends(with part: String, options: StringOptions = []) -> FetchPredicate {
        compared(.endsWith, .value(.string(part)), options: options)
    }

    /// `LIKE`, with `*` and `?`.
    public func isLike(_ pattern: String, options: StringOptions = []) -> FetchPredicate {
        compared(.like, .value(.string(pattern)), options: options)
    }

    /// `MATCHES`, with a regular expression for the whole text.
    public func matches(_ pattern: String, options: StringOptions = []) -> FetchPredicate {
        compared(.matches, .value(.string(pattern)), options: options)
    }
}

extension FetchPredicate.Expression {
    /// Returns a value as a constant. A Boolean is a literal in SQL, because a partial index such as "the open items"
    /// only serves a query in which the value is written.
    static func constant(of value: some AttributeValueConvertible) -> Self {
        let value = value.attributeValue
        if case .boolean(let flag) = value { return .literal(flag) }
        return .value(value)
    }

    static func literal(_ flag: Bool) -> Self {
        .constant(
            FetchPredicate.Constant(
                .boolean(flag), origin: FetchPredicate.Origin(offset: nil, isLiteral: true)))
    }
}
