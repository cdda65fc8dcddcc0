/// A to-one relationship of a managed object class in a predicate.
///
/// The properties of its destination can follow it: `$0.publisher.name`. Their values are optional, because there may be
/// no object.
@dynamicMemberLookup
public struct ToOneKey<Destination: ManagedObject> {
    let path: FetchPredicate.Path
    let quantifier: Quantification

    init(path: FetchPredicate.Path, quantifier: Quantification = .single) {
        self.path = path
        self.quantifier = quantifier
    }

    /// Returns the condition that the relationship leads to an object: `$0.publisher == penguin`, `$0.publisher == nil`.
    public static func == (key: Self, object: Destination?) -> FetchPredicate {
        key.quantifier.condition(
            .comparison(.init(.path(key.path), .equal, object.predicateExpression)))
    }

    /// Returns the condition that the relationship does not lead to an object, or leads to any object if it
    /// is nil.
    public static func != (key: Self, object: Destination?) -> FetchPredicate {
        key.quantifier.condition(
            .comparison(.init(.path(key.path), .notEqual, object.predicateExpression)))
    }

    /// Returns the condition that the related object satisfies a condition of its class.
    ///
    ///     Book.where { $0.publisher.satisfies { $0.name == "Penguin" && $0.site != nil } }
    ///
    /// Without a related object, the properties of the destination are nil.
    public func satisfies(
        _ condition: (Keys<Destination>) throws -> FetchPredicate
    ) rethrows -> FetchPredicate {
        quantifier.condition(try condition(Keys(path)).root)
    }

    /// Returns the condition that a Boolean property of the related object is true.
    public func satisfies<Flag: PredicateFlag>(
        _ condition: (Keys<Destination>) throws -> PropertyKey<Flag>
    ) rethrows -> FetchPredicate {
        try satisfies { try condition($0).isTrue }
    }

    /// The key of an attribute of the related object.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Destination, Value>
    ) -> PropertyKey<Value?> {
        PropertyKey(RecordedKey.of(member).expression(from: path), quantifier: quantifier)
    }

    /// The key of an optional attribute of the related object.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Destination, Value?>
    ) -> PropertyKey<Value?> {
        PropertyKey(RecordedKey.of(member).expression(from: path), quantifier: quantifier)
    }

    /// The key of a list attribute.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Destination, [Element]>
    ) -> ListKey<Element> {
        ListKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of an optional list attribute.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Destination, [Element]?>
    ) -> ListKey<Element> {
        ListKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of a to-one relationship of the related object.
    public subscript<Next: ManagedObject>(
        dynamicMember member: KeyPath<Destination, Next?>
    ) -> ToOneKey<Next> {
        ToOneKey<Next>(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of a to-many relationship of the related object.
    public subscript<Element: ManagedObject>(
        dynamicMember member: KeyPath<Destination, RelatedObjects<Element>>
    ) -> ToManyKey<Element> {
        ToManyKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }
}
