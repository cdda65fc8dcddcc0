/// An element of a list attribute, in the place of an object.
struct ListElement: PredicateSubject {
    /// The index in the list.
    let predicateIdentity: Int64
    private let value: AttributeValue

    /// Returns the elements of a list. A text that is not a list of this type has none.
    static func all(of text: String, _ type: AttributeType) -> [ListElement] {
        (ListValue.elements(of: text, type) ?? []).enumerated().map {
            ListElement(predicateIdentity: Int64($0.offset), value: $0.element)
        }
    }

    func predicateValue(at column: Int) -> AttributeValue { value }
    func predicateTarget(at column: Int) -> (any PredicateSubject)? { nil }
    func predicateMembers(at position: Int) -> [any PredicateSubject] { [] }
}
