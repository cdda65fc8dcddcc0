/// A to-many relationship of a class of yours, as a predicate names it.
///
///     $0.$authors.any.$name == "Austen"       $0.$authors.count > 1       $0.$books.max(\.$pages) > 500
public struct ToManyKey<Element: ManagedObject> {
    let path: FetchPredicate.Path

    /// For a comparison that at least one element has to fulfil.
    public var any: Elements { Elements(path: path, quantifier: .any) }

    /// For a comparison that every element has to fulfil.
    public var all: Elements { Elements(path: path, quantifier: .all) }

    /// For a comparison that no element may fulfil.
    public var none: Elements { Elements(path: path, quantifier: .none) }

    public var count: PropertyKey<Int> { PropertyKey(.aggregate(FetchPredicate.Aggregate(.count, of: path))) }

    /// Whether an object is at the other end.
    public func contains(_ object: Element) -> FetchPredicate {
        FetchPredicate(object.predicateExpression, .in, .path(path))
    }

    public func sum<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Value> {
        aggregate(.sum, member)
    }

    public func average<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Double?> {
        aggregate(.avg, member)
    }

    public func min<Value>(_ member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<Value> {
        aggregate(.min, member)
    }

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

    /// The elements, and how many of them a comparison is about.
    @dynamicMemberLookup
    public struct Elements {
        let path: FetchPredicate.Path
        let quantifier: FetchPredicate.Quantifier

        public subscript<Value>(dynamicMember member: KeyPath<Element, PropertyKey<Value>>) -> PropertyKey<
            Value
        > {
            PropertyKey(Element.keys[keyPath: member].expression.of(path), quantifier: quantifier)
        }
    }
}
