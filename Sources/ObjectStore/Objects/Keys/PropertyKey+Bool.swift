/// `Bool` or an optional `Bool`.
public protocol PredicateFlag: AttributeValueConvertible {}

extension Bool: PredicateFlag {}

extension Bool?: PredicateFlag {}

// A Boolean property is a condition by itself. Nil is not true.
extension PropertyKey where Value: PredicateFlag {
    var isTrue: FetchPredicate { compared(.equal, .literal(true)) }

    /// Returns the condition that the property is not true. It is false or, if there is no value, nil.
    public static prefix func ! (key: Self) -> FetchPredicate {
        key.quantifier.isSingle && !Value.admitsNull
            ? key.compared(.equal, .literal(false)) : !key.isTrue
    }

    /// Returns the condition that both properties are true.
    public static func && <Other: PredicateFlag>(left: Self, right: PropertyKey<Other>) -> FetchPredicate {
        left.isTrue && right.isTrue
    }

    /// Returns the condition that the property and the predicate are true.
    public static func && (left: Self, right: FetchPredicate) -> FetchPredicate { left.isTrue && right }

    /// Returns the condition that the predicate and the property are true.
    public static func && (left: FetchPredicate, right: Self) -> FetchPredicate { left && right.isTrue }

    /// Returns the condition that at least one of the properties is true.
    public static func || <Other: PredicateFlag>(left: Self, right: PropertyKey<Other>) -> FetchPredicate {
        left.isTrue || right.isTrue
    }

    /// Returns the condition that the property or the predicate is true.
    public static func || (left: Self, right: FetchPredicate) -> FetchPredicate { left.isTrue || right }

    /// Returns the condition that the predicate or the property is true.
    public static func || (left: FetchPredicate, right: Self) -> FetchPredicate { left || right.isTrue }
}
