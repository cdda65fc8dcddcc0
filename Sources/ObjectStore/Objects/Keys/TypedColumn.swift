/// A column in a fetch of rows, with the type of its values. See ``FetchColumn``.
///
///     try context.rows(Book.all, of: .key(\.genre), .count, .average(\.pages), groupedBy: [\.genre])
public struct TypedColumn<Object: ManagedObject, Value: AttributeValueConvertible> {
    /// The column without the types.
    public let column: FetchColumn
    /// Decodes a stored value, or is `nil` if the type of the values does that.
    private let decode: ((AttributeValue) -> Value?)?

    init(_ column: FetchColumn, decode: ((AttributeValue) -> Value?)? = nil) {
        self.column = column
        self.decode = decode
    }

    /// The value of a property, which may be at the end of to-one relationships: `.key(\.publisher?.name)`.
    public static func key(_ path: KeyPath<Object, Value>) -> Self {
        Self(.key(RecordedKey.of(path).text))
    }

    /// The sum of the values that are not nil, or nil if there are none.
    public static func sum<Source: AttributeNumber>(_ path: KeyPath<Object, Source>) -> Self
    where Value == Source.NonOptional? {
        Self(.sum(RecordedKey.of(path).text))
    }

    /// The least value, or nil if there are no values.
    public static func min<Source: AttributeValueConvertible>(_ path: KeyPath<Object, Source>) -> Self
    where Value == Source.NonOptional? {
        Self(.min(RecordedKey.of(path).text))
    }

    /// The greatest value, or nil if there are no values.
    public static func max<Source: AttributeValueConvertible>(_ path: KeyPath<Object, Source>) -> Self
    where Value == Source.NonOptional? {
        Self(.max(RecordedKey.of(path).text))
    }

    /// The sorted values of an attribute of all objects in a to-many relationship that are not nil:
    /// `.values(\.authors, \.name)`.
    public static func values<Destination: ManagedObject, Element: AttributeListElement>(
        _ relationship: KeyPath<Object, RelatedObjects<Destination>>,
        _ attribute: KeyPath<Destination, Element>
    ) -> Self where Value == [Element] {
        Self(
            .values("\(RecordedKey.of(relationship).text).\(RecordedKey.of(attribute).text)"),
            decode: { [Element](relatedValues: $0) })
    }

    /// The sorted values of an optional attribute of all objects in a to-many relationship that are not nil:
    /// `.values(\.authors, \.name)`.
    public static func values<Destination: ManagedObject, Element: AttributeListElement>(
        _ relationship: KeyPath<Object, RelatedObjects<Destination>>,
        _ attribute: KeyPath<Destination, Element?>
    ) -> Self where Value == [Element] {
        Self(
            .values("\(RecordedKey.of(relationship).text).\(RecordedKey.of(attribute).text)"),
            decode: { [Element](relatedValues: $0) })
    }

    /// Returns the value of the column in a row.
    @usableFromInline
    func value(in row: any StoreRow, at position: Int) throws -> Value {
        let stored = row.value(at: position)
        let decoded = if let decode { decode(stored) } else { Value(attributeValue: stored) }
        guard let value = decoded else {
            throw FetchError(
                .unsupported,
                "the column \(column.name) has a value of the type \(stored.typeName), which \(Value.self) cannot hold"
            )
        }
        return value
    }

    /// Returns the value of the column after a position, which becomes the position.
    @inlinable
    func next(in row: any StoreRow, after position: inout Int) throws -> Value {
        position += 1
        return try value(in: row, at: position)
    }
}

extension TypedColumn where Value == Int {
    /// The number of objects.
    public static var count: Self { Self(.count) }
}

extension TypedColumn where Value == Double? {
    /// The average, or nil if there are no values.
    public static func average<Source: AttributeNumber>(_ path: KeyPath<Object, Source>) -> Self {
        Self(.average(RecordedKey.of(path).text))
    }
}

extension Array where Element: AttributeListElement {
    /// Creates an array of the values of related objects. Unlike the elements of a list attribute, texts may have NUL characters.
    fileprivate init?(relatedValues stored: AttributeValue) {
        guard case .string(let text) = stored, let type = Element.arrayElementType,
            let elementType = Element.self as? any AttributeValueConvertible.Type,
            let elements = ListValue.elements(of: text, type, admitsNUL: true),
            let values = array(of: elements, as: elementType) as? Self
        else { return nil }
        self = values
    }
}

/// Returns an array of the type with the values, or `nil` if the type cannot hold one of them.
private func array<Value: AttributeValueConvertible>(
    of elements: [AttributeValue], as type: Value.Type
) -> Any? {
    let values = elements.compactMap { type.init(attributeValue: $0) }
    return values.count == elements.count ? values : nil
}
