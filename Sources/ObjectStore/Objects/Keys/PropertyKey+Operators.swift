extension PropertyKey where Value: AttributeValueConvertible {
    /// Returns the condition that the property is equal to a value.
    public static func == (key: Self, value: Value) -> FetchPredicate {
        key.compared(.equal, .value(value.attributeValue))
    }

    /// Returns the condition that the property is not equal to a value.
    public static func != (key: Self, value: Value) -> FetchPredicate {
        key.compared(.notEqual, .value(value.attributeValue))
    }

    /// Returns the condition that the property is less than a value.
    public static func < (key: Self, value: Value) -> FetchPredicate {
        key.compared(.less, .value(value.attributeValue))
    }

    /// Returns the condition that the property is at most a value.
    public static func <= (key: Self, value: Value) -> FetchPredicate {
        key.compared(.lessOrEqual, .value(value.attributeValue))
    }

    /// Returns the condition that the property is greater than a value.
    public static func > (key: Self, value: Value) -> FetchPredicate {
        key.compared(.greater, .value(value.attributeValue))
    }

    /// Returns the condition that the property is at least a value.
    public static func >= (key: Self, value: Value) -> FetchPredicate {
        key.compared(.greaterOrEqual, .value(value.attributeValue))
    }

    /// `BETWEEN`. Both bounds are inclusive.
    public func isBetween(_ low: Value, and high: Value) -> FetchPredicate {
        compared(.between, .list([.value(low.attributeValue), .value(high.attributeValue)]))
    }

    /// `IN`
    public func isIn(_ values: some Sequence<Value>) -> FetchPredicate {
        compared(.in, .list(values.map { .value($0.attributeValue) }))
    }
}

// Comparisons of one property with another.
extension PropertyKey {
    /// Returns the condition that one property is equal to another.
    public static func == (left: Self, right: Self) -> FetchPredicate {
        left.compared(.equal, right.expression)
    }

    /// Returns the condition that one property is not equal to another.
    public static func != (left: Self, right: Self) -> FetchPredicate {
        left.compared(.notEqual, right.expression)
    }

    /// Returns the condition that one property is less than another.
    public static func < (left: Self, right: Self) -> FetchPredicate {
        left.compared(.less, right.expression)
    }

    /// Returns the condition that one property is at most another.
    public static func <= (left: Self, right: Self) -> FetchPredicate {
        left.compared(.lessOrEqual, right.expression)
    }

    /// Returns the condition that one property is greater than another.
    public static func > (left: Self, right: Self) -> FetchPredicate {
        left.compared(.greater, right.expression)
    }

    /// Returns the condition that one property is at least another.
    public static func >= (left: Self, right: Self) -> FetchPredicate {
        left.compared(.greaterOrEqual, right.expression)
    }
}

/// `String` or an optional `String`.
public protocol PredicateText {}

extension String: PredicateText {}

extension String?: PredicateText {}

extension PropertyKey where Value: PredicateText {
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
