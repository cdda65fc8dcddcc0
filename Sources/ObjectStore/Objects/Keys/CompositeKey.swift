/// A composite attribute of a managed object class in a predicate.
///
/// Its parts follow it: `$0.home.city == "Paris"`. The whole of it is equal to a value if all parts are:
/// `$0.home == Address(city: "Paris")`.
@dynamicMemberLookup
public struct CompositeKey<Composed: CompositeAttribute> {
    let path: FetchPredicate.Path
    let quantifier: Quantification

    init(path: FetchPredicate.Path, quantifier: Quantification) {
        self.path = path
        self.quantifier = quantifier
    }

    /// Returns the condition that all parts are equal to those of a value.
    public static func == (key: Self, value: Composed) -> FetchPredicate {
        key.quantifier.elementCondition(Composed.condition(key.path, isEqualTo: value))
    }

    /// Returns the condition that some part is not equal to that of a value.
    public static func != (key: Self, value: Composed) -> FetchPredicate {
        key.quantifier.elementCondition(.not(Composed.condition(key.path, isEqualTo: value)))
    }

    /// The key of a part.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, Value>
    ) -> PropertyKey<Value> {
        PropertyKey(.path(Composed.path(member, from: path)), quantifier: quantifier)
    }

    /// The key of a part that is a list.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, [Element]>
    ) -> ListKey<Element> {
        ListKey(path: Composed.path(member, from: path), quantifier: quantifier)
    }

    /// The key of a part that is an optional list.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, [Element]?>
    ) -> ListKey<Element> {
        ListKey(path: Composed.path(member, from: path), quantifier: quantifier)
    }

    /// The key of a part that is a composite attribute.
    public subscript<Part: CompositeAttribute>(
        dynamicMember member: KeyPath<Composed, Part>
    ) -> CompositeKey<Part> {
        CompositeKey<Part>(path: Composed.path(member, from: path), quantifier: quantifier)
    }

    /// The key of a part that is an optional composite attribute.
    public subscript<Part: CompositeAttribute>(
        dynamicMember member: KeyPath<Composed, Part?>
    ) -> OptionalCompositeKey<Part> {
        OptionalCompositeKey(path: Composed.path(member, from: path), quantifier: quantifier)
    }
}

/// An optional composite attribute of a managed object class in a predicate, or one of a related object.
///
/// Its parts follow it: `$0.work.city == "Paris"`. Their values are optional. `$0.work == nil` is true if all parts are nil.
@dynamicMemberLookup
public struct OptionalCompositeKey<Composed: CompositeAttribute> {
    let path: FetchPredicate.Path
    let quantifier: Quantification

    init(path: FetchPredicate.Path, quantifier: Quantification) {
        self.path = path
        self.quantifier = quantifier
    }

    /// Returns the condition that all parts are equal to those of a value, or nil if it is nil.
    public static func == (key: Self, value: Composed?) -> FetchPredicate {
        key.quantifier.elementCondition(
            value.map { Composed.condition(key.path, isEqualTo: $0) }
                ?? .comparison(.init(.path(key.path), .equal, .null)))
    }

    /// Returns the condition that some part is not equal to that of a value, or not nil if the value is nil.
    public static func != (key: Self, value: Composed?) -> FetchPredicate {
        key.quantifier.elementCondition(
            value.map { .not(Composed.condition(key.path, isEqualTo: $0)) }
                ?? .comparison(.init(.path(key.path), .notEqual, .null)))
    }

    /// The key of a part.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, Value>
    ) -> PropertyKey<Value?> {
        PropertyKey(.path(Composed.path(member, from: path)), quantifier: quantifier)
    }

    /// The key of an optional part.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, Value?>
    ) -> PropertyKey<Value?> {
        PropertyKey(.path(Composed.path(member, from: path)), quantifier: quantifier)
    }

    /// The key of a part that is a list.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, [Element]>
    ) -> ListKey<Element> {
        ListKey(path: Composed.path(member, from: path), quantifier: quantifier)
    }

    /// The key of a part that is an optional list.
    public subscript<Element: AttributeListElement & AttributeValueConvertible>(
        dynamicMember member: KeyPath<Composed, [Element]?>
    ) -> ListKey<Element> {
        ListKey(path: Composed.path(member, from: path), quantifier: quantifier)
    }

    /// The key of a part that is a composite attribute.
    public subscript<Part: CompositeAttribute>(
        dynamicMember member: KeyPath<Composed, Part>
    ) -> OptionalCompositeKey<Part> {
        OptionalCompositeKey<Part>(path: Composed.path(member, from: path), quantifier: quantifier)
    }

    /// The key of a part that is an optional composite attribute.
    public subscript<Part: CompositeAttribute>(
        dynamicMember member: KeyPath<Composed, Part?>
    ) -> OptionalCompositeKey<Part> {
        OptionalCompositeKey<Part>(path: Composed.path(member, from: path), quantifier: quantifier)
    }
}

extension Keys {
    /// The key of a composite attribute.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember member: KeyPath<Object, Composed>
    ) -> CompositeKey<Composed> {
        CompositeKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of an optional composite attribute.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember member: KeyPath<Object, Composed?>
    ) -> OptionalCompositeKey<Composed> {
        OptionalCompositeKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }
}

extension ToOneKey {
    /// The key of a composite attribute of the related object.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember member: KeyPath<Destination, Composed>
    ) -> OptionalCompositeKey<Composed> {
        OptionalCompositeKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }

    /// The key of an optional composite attribute of the related object.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember member: KeyPath<Destination, Composed?>
    ) -> OptionalCompositeKey<Composed> {
        OptionalCompositeKey(path: RecordedKey.of(member).path(from: path), quantifier: quantifier)
    }
}

extension CompositeAttribute {
    /// Returns the path of a part. It is a programming error if the key path is not a stored property.
    fileprivate static func path(
        _ member: PartialKeyPath<Self>, from start: FetchPredicate.Path
    ) -> FetchPredicate.Path {
        let layout = CompositeLayout<Self>.shared
        guard let name = layout.name(of: member) ?? layout.nameByReading(member) else {
            fatalError("a key path of \(Self.self) is not a stored property, which a part has to be")
        }
        return FetchPredicate.Path(
            root: start.root, keys: start.keys + FetchPredicate.Path.keys(of: name))
    }

    /// Returns the condition that the parts at a path are equal to those of a value.
    fileprivate static func condition(
        _ path: FetchPredicate.Path, isEqualTo value: Self
    ) -> FetchPredicate.Node {
        let layout = CompositeLayout<Self>.shared
        let conditions = zip(layout.leaves, layout.values(of: value)).flatMap {
            leaf, part -> [FetchPredicate.Node] in
            let path = FetchPredicate.Path(
                root: path.root, keys: path.keys + FetchPredicate.Path.keys(of: leaf.name))
            guard case .string(let text) = part, let type = leaf.type.elementType,
                let elements = ListValue.elements(of: text, type)
            else { return [.comparison(.init(.path(path), .equal, .value(part)))] }
            return FetchPredicate.list(path, isEqualTo: elements)
        }
        return conditions.count == 1 ? conditions[0] : .and(conditions)
    }
}

extension CompositeKey {
    /// Unavailable: a composite attribute is compared with a value of its type.
    @available(
        *, unavailable,
        message: "a composite attribute is compared with a value of its type; name a part for another value"
    )
    public static func == <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a composite attribute is compared with a value of its type.
    @available(
        *, unavailable,
        message: "a composite attribute is compared with a value of its type; name a part for another value"
    )
    public static func != <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }
}

extension OptionalCompositeKey {
    /// Unavailable: a composite attribute is compared with a value of its type.
    @available(
        *, unavailable,
        message: "a composite attribute is compared with a value of its type; name a part for another value"
    )
    public static func == <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }

    /// Unavailable: a composite attribute is compared with a value of its type.
    @available(
        *, unavailable,
        message: "a composite attribute is compared with a value of its type; name a part for another value"
    )
    public static func != <Other>(key: Self, value: Other) -> FetchPredicate {
        fatalError("unavailable")
    }
}
