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

    /// Returns the condition that the relationship does not lead to an object, or leads to any object if it
    /// is nil.
    public static func != (key: Self, object: Destination?) -> FetchPredicate {
        FetchPredicate(.path(key.path), .notEqual, object.predicateExpression)
    }

    /// The key of an attribute of the related object.
    public subscript<Value>(dynamicMember member: KeyPath<Destination, PropertyKey<Value>>) -> PropertyKey<
        Value
    > {
        PropertyKey(Destination.keys[keyPath: member].expression.of(path))
    }

    /// The key of a to-one relationship of the related object.
    public subscript<Next>(dynamicMember member: KeyPath<Destination, ToOneKey<Next>>) -> ToOneKey<Next> {
        ToOneKey<Next>(path: path.then(Destination.keys[keyPath: member].path))
    }

    /// The key of a to-many relationship of the related object.
    public subscript<Element>(dynamicMember member: KeyPath<Destination, ToManyKey<Element>>) -> ToManyKey<
        Element
    > {
        ToManyKey<Element>(path: path.then(Destination.keys[keyPath: member].path))
    }
}
