/// A to-many relationship of a managed object class in a predicate.
///
///     $0.$authors.any.$name == "Austen"       $0.$authors.count > 1       $0.$books.max(\.$pages) > 500
public struct ToManyKey<Element: ManagedObject> {
    let path: FetchPredicate.Path

    /// The elements, for a comparison that at least one of them has to satisfy.
    public var any: Elements { Elements(path: path, quantifier: .any) }

    /// The elements, for a comparison that all of them have to satisfy.
    public var all: Elements { Elements(path: path, quantifier: .all) }

    /// The elements, for a comparison that none of them may satisfy.
    public var none: Elements { Elements(path: path, quantifier: .none) }

    /// The number of related objects.
    public var count: PropertyKey<Int> { PropertyKey(.aggregate(FetchPredicate.Aggregate(.count, of: path))) }

    /// Returns a predicate that is true if the relationship contains the object.
    public func contains(_ object: Element) -> FetchPredicate {
        FetchPredicate(object.predicateExpression, .in, .path(path))
    }

    /// The sum of an attribute of the related objects.
    public func sum<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Value> {
        aggregate(.sum, member)
    }

    /// The average of an attribute of the related objects, or nil if there are none.
    public func average<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Double?> {
        aggregate(.avg, member)
    }

    /// The least value of an attribute of the related objects.
    public func min<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Value> {
        aggregate(.min, member)
    }

    /// The greatest value of an attribute of the related objects.
    public func max<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Value> {
        aggregate(.max, member)
    }

    private func aggregate<Value, Result>(
        _ operation: FetchPredicate.CollectionOperator, _ member: KeyPath<Element, PropertyKey<Value>>
    ) -> PropertyKey<Result> {
        guard case .path(let rest) = Element.keys[keyPath: member].expression else {
            preconditionFailure("\(operation) is of a property, not of another aggregate")
        }
        return PropertyKey(.aggregate(FetchPredicate.Aggregate(operation, of: path.then(rest))))
    }

    /// The elements of a relationship, with the quantifier for a comparison.
    @dynamicMemberLookup
    public struct Elements {
        let path: FetchPredicate.Path
        let quantifier: FetchPredicate.Quantifier

        /// The values of an attribute of the related objects.
        public subscript<Value>(dynamicMember member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<
            Value
        > {
            PropertyKey(Element.keys[keyPath: member].expression.of(path), quantifier: quantifier)
        }
    }
}
