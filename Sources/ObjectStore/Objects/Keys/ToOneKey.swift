/// A to-one relationship of a managed object class in a predicate.
///
/// The properties of its destination can follow it: `$0.$publisher.$name`.
@dynamicMemberLookup
public struct ToOneKey<Destination: ManagedObject> {
    let path: FetchPredicate.Path

    /// `$0.$publisher == penguin`, `$0.$publisher == nil`
    public static func == (key: Self, object: Destination?) -> FetchPredicate {
        FetchPredicate(.path(key.path), .equal, object.predicateExpression)
    }

    public static func != (key: Self, object: Destination?) -> FetchPredicate {
        FetchPredicate(.path(key.path), .notEqual, object.predicateExpression)
    }

    public subscript<Value>(dynamicMember member: KeyPath<Destination, PropertyKey<Value>>) -> PropertyKey<
        Value
    > {
        PropertyKey(Destination.keys[keyPath: member].expression.of(path))
    }

    public subscript<Next>(dynamicMember member: KeyPath<Destination, ToOneKey<Next>>) -> ToOneKey<Next> {
        ToOneKey<Next>(path: path.then(Destination.keys[keyPath: member].path))
    }

    public subscript<Element>(dynamicMember member: KeyPath<Destination, ToManyKey<Element>>) -> ToManyKey<
        Element
    > {
        ToManyKey<Element>(path: path.then(Destination.keys[keyPath: member].path))
    }
}
