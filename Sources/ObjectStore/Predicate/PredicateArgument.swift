/// A value that can take the place of `%@` and its like in a format, or of a `$VARIABLE`.
///
/// Every type of a property is one, an enumeration of yours too; and objects, their ids, and collections of any of
/// these. An object stands for its id: what a reference and `SELF` compare with. Beside an object of another entity it is
/// an error.
public protocol PredicateArgument {
    var predicateExpression: FetchPredicate.Expression { get }
}

extension AttributeValueConvertible {
    public var predicateExpression: FetchPredicate.Expression { .value(attributeValue) }
}

extension FetchPredicate.Expression: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { self }
}

extension AttributeValue: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(self) }
}

extension Substring: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.string(String(self))) }
}

extension Float: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .value(.double(Double(self))) }
}

// The unsigned types that do not fit in 64 bits with a sign are left out: such a value has no place in
// a store.
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
    /// A list, but for `[UInt8]`, which is a binary value.
    public var predicateExpression: FetchPredicate.Expression {
        // An empty array of anything casts to `[UInt8]`, so the type is asked first.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] {
            .value(.binary(bytes))
        } else {
            .list(map(\.predicateExpression))
        }
    }
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

extension ManagedObject: PredicateArgument {
    public final var predicateExpression: FetchPredicate.Expression { .object(id, of: entity.name) }
}

extension ObjectID: PredicateArgument {
    public var predicateExpression: FetchPredicate.Expression { .object(id, of: entity) }
}

extension RelatedObjects: PredicateArgument {
    /// The list of its objects' ids, as they are when the predicate is made.
    public var predicateExpression: FetchPredicate.Expression {
        let entity = owner.entity.toMany[position].description.destination
        return .list(ids.map { .object($0, of: entity) })
    }
}
