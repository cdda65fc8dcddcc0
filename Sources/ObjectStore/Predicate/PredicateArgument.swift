/// A value that can replace `%@` or a similar placeholder in a format, or a `$VARIABLE`.
///
/// Every type of a managed object's property conforms, including enumerations. Objects, their IDs, and collections of
/// these types also conform. An object is replaced with its ID, which can be compared with references and `SELF`.
/// Comparing it with an object of another entity is an error, and it never equals an object of another store.
public protocol PredicateArgument {
    /// The operand that replaces the placeholder.
    var predicateExpression: FetchPredicate.Expression { get }
}

extension AttributeValueConvertible {
    /// The value as a constant.
    public var predicateExpression: FetchPredicate.Expression { .value(attributeValue) }
}

extension FetchPredicate.Expression: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { self }
}

extension AttributeValue: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(withNormalizedDecimal) }
}

extension Substring: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.string(String(self))) }
}

extension Float: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.double(Double(self))) }
}

// `UInt` and `UInt64` do not conform, because a store cannot keep values that exceed `Int64`.
extension Int8: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.integer(Int64(self))) }
}

extension UInt8: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.integer(Int64(self))) }
}

extension UInt16: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.integer(Int64(self))) }
}

extension UInt32: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.integer(Int64(self))) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression {
        map(\.predicateExpression) ?? .null
    }
}

extension Array: PredicateArgument where Element: PredicateArgument {
    /// A list of the elements, except for `[UInt8]`, which is a binary value.
    public var predicateExpression: FetchPredicate.Expression {
        // An empty array of any type can be cast to `[UInt8]`, so the element type is checked first.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] {
            .value(.binary(bytes))
        } else {
            .list(map(\.predicateExpression))
        }
    }
}

extension PredicateArgument where Self == FetchPredicate.Expression {
    /// A list of values of several types: `FetchPredicate("title IN %@", .list(of: [title, .null]))`.
    public static func list(of elements: [(any PredicateArgument)?]) -> FetchPredicate.Expression {
        .list(elements.map { $0?.predicateExpression ?? .null })
    }
}

extension Set: PredicateArgument where Element: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .list(map(\.predicateExpression)) }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
    /// The two bounds for BETWEEN.
    public var predicateExpression: FetchPredicate.Expression {
        .list([lowerBound.predicateExpression, upperBound.predicateExpression])
    }
}

extension ObjectID: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .object(id, of: entity, in: store) }
}
