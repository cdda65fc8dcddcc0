/// A list attribute of a managed object class in a predicate.
///
///     $0.tags.contains("red")      $0.tags.any > "m"      $0.tags.count == 0      $0.tags[0] == "red"
public struct ListKey<Element: AttributeListElement & AttributeValueConvertible> {
    let path: FetchPredicate.Path
    let quantifier: FetchPredicate.Quantifier

    /// The elements, for a comparison that at least one of them has to satisfy.
    public var any: PropertyKey<Element> { PropertyKey(.path(path), quantifier: .any) }

    /// The elements, for a comparison that all of them have to satisfy.
    public var all: PropertyKey<Element> { PropertyKey(.path(path), quantifier: .all) }

    /// The elements, for a comparison that none of them may satisfy.
    public var none: PropertyKey<Element> { PropertyKey(.path(path), quantifier: .none) }

    /// The number of elements. It is 0 if there is no list.
    public var count: PropertyKey<Int> {
        PropertyKey(.aggregate(FetchPredicate.Aggregate(.count, of: path)), quantifier: quantifier)
    }

    /// The first element, or nil if there is none.
    public var first: PropertyKey<Element?> { element("[FIRST]") }

    /// The last element, or nil if there is none.
    public var last: PropertyKey<Element?> { element("[LAST]") }

    /// The element at an index, or nil if there is none.
    public subscript(index: Int) -> PropertyKey<Element?> { element("[\(index)]") }

    /// Returns the condition that the list has an element.
    public func contains(_ element: Element) -> FetchPredicate {
        FetchPredicate(.path(path), .contains, .value(element.attributeValue))
    }

    private func element(_ position: String) -> PropertyKey<Element?> {
        PropertyKey(
            .path(FetchPredicate.Path(root: path.root, keys: path.keys + [position])), quantifier: quantifier)
    }
}
