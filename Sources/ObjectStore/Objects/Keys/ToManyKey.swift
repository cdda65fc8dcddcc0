/// A to-many relationship of a managed object class in a predicate.
///
///     $0.authors.any.name == "Austen"       $0.authors.count > 1       $0.books.max(\.pages) > 500
///     $0.books.contains { $0.pages > 500 && $0.inPrint }
public struct ToManyKey<Element: ManagedObject> {
    let path: FetchPredicate.Path
    let quantifier: Quantification

    /// The elements, for a comparison that at least one of them has to satisfy.
    public var any: Keys<Element> { elements(.any) }

    /// The elements, for a comparison that all of them have to satisfy.
    public var all: Keys<Element> { elements(.all) }

    /// The elements, for a comparison that none of them may satisfy.
    public var none: Keys<Element> { elements(.none) }

    private func elements(_ new: FetchPredicate.Quantifier) -> Keys<Element> {
        var quantifiers = quantifier
        let element = quantifiers.add(new, of: path)
        return Keys(element, quantifier: quantifiers)
    }

    /// The object at an index of an ordered relationship: `$0.songs[0].title == "Intro"`.
    public subscript(index: Int) -> ToOneKey<Element> { element("[\(index)]") }

    /// The first object of an ordered relationship.
    public var first: ToOneKey<Element> { element("[FIRST]") }

    /// The last object of an ordered relationship.
    public var last: ToOneKey<Element> { element("[LAST]") }

    private func element(_ position: String) -> ToOneKey<Element> {
        ToOneKey(
            path: FetchPredicate.Path(root: path.root, keys: path.keys + [position]), quantifier: quantifier)
    }

    /// The number of related objects.
    public var count: PropertyKey<Int> { aggregate(.count, path) }

    /// The condition that no object is related.
    public var isEmpty: FetchPredicate { count == 0 }

    /// The number of related objects that satisfy a condition: `SUBQUERY(…).@count`.
    public func count(where condition: (Keys<Element>) throws -> FetchPredicate) rethrows -> PropertyKey<Int>
    {
        let variable = ElementVariable.new()
        let elements = FetchPredicate.Path(
            root: .subquery(
                FetchPredicate.Subquery(
                    path, variable: variable,
                    where: try condition(Keys(FetchPredicate.Path(root: .variable(variable)))).root)))
        return aggregate(.count, elements)
    }

    /// The number of related objects with a Boolean property that is true: `$0.books.count { $0.inPrint }`.
    public func count<Flag: PredicateFlag>(
        where condition: (Keys<Element>) throws -> PropertyKey<Flag>
    ) rethrows -> PropertyKey<Int> {
        try count { try condition($0).isTrue }
    }

    /// Returns the condition that at least one related object has a Boolean property that is true:
    /// `$0.books.contains { $0.inPrint }`.
    public func contains<Flag: PredicateFlag>(
        where condition: (Keys<Element>) throws -> PropertyKey<Flag>
    ) rethrows -> FetchPredicate {
        try count(where: condition) > 0
    }

    /// Returns the condition that at least one related object satisfies a condition as a whole.
    public func contains(where condition: (Keys<Element>) throws -> FetchPredicate) rethrows -> FetchPredicate
    {
        try count(where: condition) > 0
    }

    /// Returns a predicate that is true if the relationship contains the object.
    public func contains(_ object: Element) -> FetchPredicate {
        quantifier.contains(path, object.predicateExpression)
    }

    /// The sum of an attribute of the related objects, which is 0 if there are none.
    public func sum<Value: AttributeNumber>(_ member: KeyPath<Element, Value>) -> PropertyKey<Value> {
        aggregate(.sum, member)
    }

    /// The average of an attribute of the related objects, or nil if there are none.
    public func average<Value: AttributeNumber>(_ member: KeyPath<Element, Value>) -> PropertyKey<Double?> {
        aggregate(.avg, member)
    }

    /// The least value of an attribute of the related objects, or nil if there are none.
    public func min<Value: AttributeValueConvertible>(
        _ member: KeyPath<Element, Value>
    ) -> PropertyKey<Value.NonOptional?> {
        aggregate(.min, member)
    }

    /// The greatest value of an attribute of the related objects, or nil if there are none.
    public func max<Value: AttributeValueConvertible>(
        _ member: KeyPath<Element, Value>
    ) -> PropertyKey<Value.NonOptional?> {
        aggregate(.max, member)
    }

    private func aggregate<Value, Result>(
        _ operation: FetchPredicate.CollectionOperator, _ member: KeyPath<Element, Value>
    ) -> PropertyKey<Result> {
        let key = RecordedKey.of(member)
        guard !key.isCount else {
            fatalError(
                "@\(operation.rawValue) of \(key.text) is not possible: name a property of \(Element.self)")
        }
        return aggregate(operation, key.path(from: path))
    }

    private func aggregate<Result>(
        _ operation: FetchPredicate.CollectionOperator, _ values: FetchPredicate.Path
    ) -> PropertyKey<Result> {
        PropertyKey(
            ElementVariable.named(.aggregate(FetchPredicate.Aggregate(operation, of: values))),
            quantifier: quantifier)
    }
}
