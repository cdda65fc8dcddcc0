/// The properties of a class, as keys of a predicate.
///
///     Book.where { $0.pages > 3 && $0.publisher.name == "Penguin" && $0.authors.any.born > 1900 }
///
/// The members are those of the class: an attribute is a ``PropertyKey``, a relationship a ``ToOneKey`` or a ``ToManyKey``.
@dynamicMemberLookup
public struct Keys<Object: ManagedObject> {
    let path: FetchPredicate.Path
    let quantifier: Quantification

    init(
        _ path: FetchPredicate.Path = FetchPredicate.Path(),
        quantifier: Quantification = .single
    ) {
        self.path = path
        self.quantifier = quantifier
    }

    /// The key of an attribute, or of the ID.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Object, Value>
    ) -> PropertyKey<Value> {
        PropertyKey(RecordedKey.of(member).expression(from: path), quantifier: quantifier)
    }

    /// The key of a list attribute.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Object, [Element]>
    ) -> ListKey<Element> {
        ListKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of an optional list attribute.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Object, [Element]?>
    ) -> ListKey<Element> {
        ListKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of a to-one relationship.
    public subscript<Destination: ManagedObject>(
        dynamicMember member: KeyPath<Object, Destination?>
    ) -> ToOneKey<Destination> {
        ToOneKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of a to-many relationship.
    public subscript<Element: ManagedObject>(
        dynamicMember member: KeyPath<Object, RelatedObjects<Element>>
    ) -> ToManyKey<Element> {
        ToManyKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }
}

extension RecordedKey {
    /// Returns the key of a property, which has been found before or is found now.
    static func of<Object: ManagedObject, Value>(_ path: KeyPath<Object, Value>) -> RecordedKey {
        KnownKeys.key(of: path, of: Object.self)
    }

    /// The names with dots between them: the form of keys in orders and columns.
    var text: String { (names + (isCount ? ["@count"] : [])).joined(separator: ".") }

    /// The names up to the property. An external attribute has its own name only, without that of its value.
    var propertyNames: [String] { isExternal ? names.dropLast() : names }

    /// The names up to the property, for errors and for lists of properties.
    var propertyText: String { isExternal ? propertyNames.joined(separator: ".") : text }

    /// The key, or those of the parts if it is a composite attribute.
    var columns: [String] {
        guard let parts else { return [text] }
        return parts.map { (names.dropLast() + [$0]).joined(separator: ".") }
    }

    func path(from start: FetchPredicate.Path) -> FetchPredicate.Path {
        FetchPredicate.Path(root: start.root, keys: start.keys + keys)
    }

    func expression(from start: FetchPredicate.Path) -> FetchPredicate.Expression {
        isCount
            ? .aggregate(FetchPredicate.Aggregate(.count, of: path(from: start))) : .path(path(from: start))
    }
}
