public import CivilTime

/// A value that can take the place of `%@` and its like in a format, or of a `$VARIABLE`.
public protocol PredicateArgument: Sendable {
    var predicateExpression: FetchPredicate.Expression { get }
}

extension FetchPredicate.Expression: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { self }
}

extension AttributeValue: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(self) }
}

extension String: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.string(self)) }
}

extension Substring: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.string(String(self))) }
}

extension Bool: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.boolean(self)) }
}

extension Double: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.double(self)) }
}

extension Float: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.double(Double(self))) }
}

extension Timestamp: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.date(self)) }
}

extension UUIDValue: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.uuid(self)) }
}

extension PredicateArgument where Self: FixedWidthInteger {
    public var predicateExpression: FetchPredicate.Expression { .value(.integer(Int64(self))) }
}

// The unsigned types that do not fit in 64 bits with a sign are left out: such a value has no place in
// a store.
extension Int: PredicateArgument {}
extension Int8: PredicateArgument {}
extension Int16: PredicateArgument {}
extension Int32: PredicateArgument {}
extension Int64: PredicateArgument {}
extension UInt8: PredicateArgument {}
extension UInt16: PredicateArgument {}
extension UInt32: PredicateArgument {}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression {
        map(\.predicateExpression) ?? .null
    }
}

extension Array: PredicateArgument where Element: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .list(map(\.predicateExpression)) }
}

extension Set: PredicateArgument where Element: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .list(map(\.predicateExpression)) }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
    /// The two bounds of a BETWEEN.
    public var predicateExpression: FetchPredicate.Expression {
        .list([lowerBound.predicateExpression, upperBound.predicateExpression])
    }
}
