// A Boolean property is a condition by itself.
extension PropertyKey where Value == Bool {
    var isTrue: FetchPredicate { self == true }

    /// Returns the condition that the property is false.
    public static prefix func ! (key: Self) -> FetchPredicate {
        key.quantifier.isSingle ? key == false : !key.isTrue
    }

    /// Returns the condition that both properties are true.
    public static func && (left: Self, right: Self) -> FetchPredicate { left.isTrue && right.isTrue }

    /// Returns the condition that the property and the predicate are true.
    public static func && (left: Self, right: FetchPredicate) -> FetchPredicate { left.isTrue && right }

    /// Returns the condition that the predicate and the property are true.
    public static func && (left: FetchPredicate, right: Self) -> FetchPredicate { left && right.isTrue }

    /// Returns the condition that at least one of the properties is true.
    public static func || (left: Self, right: Self) -> FetchPredicate { left.isTrue || right.isTrue }

    /// Returns the condition that the property or the predicate is true.
    public static func || (left: Self, right: FetchPredicate) -> FetchPredicate { left.isTrue || right }

    /// Returns the condition that the predicate or the property is true.
    public static func || (left: FetchPredicate, right: Self) -> FetchPredicate { left || right.isTrue }
}
