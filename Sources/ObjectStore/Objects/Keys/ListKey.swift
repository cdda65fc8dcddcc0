/// A list attribute of a managed object class in a predicate.
///
///     $0.tags.contains("red")      $0.tags.any > "m"      $0.tags.count == 0      $0.tags[0] == "red"
public struct ListKey<Element: AttributeListElement & AttributeValueConvertible> {
    let path: FetchPredicate.Path
    let quantifier: Quantification

    /// The elements, for a comparison that at least one of them has to satisfy.
    public var any: PropertyKey<Element> { elements(.any) }

    /// The elements, for a comparison that all of them have to satisfy.
    public var all: PropertyKey<Element> { elements(.all) }

    /// The elements, for a comparison that none of them may satisfy.
    public var none: PropertyKey<Element> { elements(.none) }

    /// The number of elements. It is 0 if there is no list.
    public var count: PropertyKey<Int> {
        PropertyKey(.aggregate(FetchPredicate.Aggregate(.count, of: path)), quantifier: quantifier)
    }

    /// The condition that there are no elements. It is true if there is no list.
    public var isEmpty: FetchPredicate { count == 0 }

    /// The first element, or nil if there is none.
    public var first: PropertyKey<Element?> { element("[FIRST]") }

    /// The last element, or nil if there is none.
    public var last: PropertyKey<Element?> { element("[LAST]") }

    /// The element at an index, or nil if there is none.
    public subscript(index: Int) -> PropertyKey<Element?> { element("[\(index)]") }

    /// Returns the condition that the list has an element.
    public func contains(_ element: Element) -> FetchPredicate {
        quantifier.contains(path, .value(element.attributeValue))
    }

    /// Returns the condition that the list has these elements, in this order. A list that is nil is equal to an empty one.
    public static func == (key: Self, elements: [Element]) -> FetchPredicate {
        key.quantifier.elementCondition(key.isEqual(to: elements))
    }

    /// Returns the condition that the list has other elements, or the same in another order.
    public static func != (key: Self, elements: [Element]) -> FetchPredicate {
        key.quantifier.elementCondition(.not(key.isEqual(to: elements)))
    }

    private func isEqual(to elements: [Element]) -> FetchPredicate.Node {
        let conditions = FetchPredicate.list(path, isEqualTo: elements.map(\.attributeValue))
        return conditions.count == 1 ? conditions[0] : .and(conditions)
    }

    private func elements(_ new: FetchPredicate.Quantifier) -> PropertyKey<Element> {
        var quantifiers = quantifier
        let element = quantifiers.add(new, of: path)
        return PropertyKey(.path(element), quantifier: quantifiers)
    }

    private func element(_ position: String) -> PropertyKey<Element?> {
        PropertyKey(
            .path(FetchPredicate.Path(root: path.root, keys: path.keys + [position])), quantifier: quantifier)
    }
}

extension FetchPredicate {
    /// Returns the conditions that a list has these elements, in this order.
    static func list(_ path: Path, isEqualTo elements: [AttributeValue]) -> [Node] {
        let count = Expression.aggregate(Aggregate(.count, of: path))
        return [.comparison(.init(count, .equal, .value(.integer(Int64(elements.count)))))]
            + elements.enumerated().map { index, element in
                let position = Path(root: path.root, keys: path.keys + ["[\(index)]"])
                return .comparison(.init(.path(position), .equal, .value(element)))
            }
    }
}
