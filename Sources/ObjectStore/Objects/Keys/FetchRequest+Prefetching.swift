/// The value of a to-many relationship, or of one at the end of to-one relationships.
public protocol RelatedObjectsValue {
    /// The class of the related objects.
    associatedtype Element: ManagedObject
}

extension RelatedObjects: RelatedObjectsValue {}

extension Optional: RelatedObjectsValue where Wrapped: RelatedObjectsValue {
    public typealias Element = Wrapped.Element
}

extension FetchRequest {
    /// Returns the request that also fetches the objects of a to-one relationship: `.prefetching(\.publisher)`.
    ///
    /// The key may be at the end of to-one relationships, whose objects are fetched too: `\.publisher?.country`.
    public func prefetching<Destination: ManagedObject>(_ key: KeyPath<Object, Destination?>) -> Self {
        prefetching([RecordedKey.of(key)])
    }

    /// Returns the request that also fetches the objects of a to-many relationship: `.prefetching(\.books)`.
    public func prefetching<Related: RelatedObjectsValue>(_ key: KeyPath<Object, Related>) -> Self {
        prefetching([RecordedKey.of(key)])
    }

    /// Returns the request that also fetches the values of an external attribute: `.prefetching(\.scan)`.
    ///
    /// The fetch throws a ``PropertyError`` if the attribute is not external.
    public func prefetching<Value: AttributeValueConvertible>(_ key: KeyPath<Object, Value?>) -> Self {
        prefetching([RecordedKey.of(key)])
    }

    /// Returns the request that also fetches the objects of a relationship, and those of a relationship of these
    /// objects: `.prefetching(\.books, then: \.publisher)`.
    public func prefetching<Related: RelatedObjectsValue, Destination: ManagedObject>(
        _ key: KeyPath<Object, Related>, then next: KeyPath<Related.Element, Destination?>
    ) -> Self {
        prefetching([RecordedKey.of(key), RecordedKey.of(next)])
    }

    /// Returns the request that also fetches the objects of a relationship, and those of a relationship of these
    /// objects: `.prefetching(\.books, then: \.authors)`.
    public func prefetching<Related: RelatedObjectsValue, Next: RelatedObjectsValue>(
        _ key: KeyPath<Object, Related>, then next: KeyPath<Related.Element, Next>
    ) -> Self {
        prefetching([RecordedKey.of(key), RecordedKey.of(next)])
    }

    /// Returns the request that also fetches the objects of three relationships, one after the other:
    /// `.prefetching(\.books, then: \.authors, then: \.country)`.
    public func prefetching<
        Related: RelatedObjectsValue, Next: RelatedObjectsValue, Destination: ManagedObject
    >(
        _ key: KeyPath<Object, Related>, then next: KeyPath<Related.Element, Next>,
        then last: KeyPath<Next.Element, Destination?>
    ) -> Self {
        prefetching([RecordedKey.of(key), RecordedKey.of(next), RecordedKey.of(last)])
    }

    /// Returns the request that also fetches the objects of three relationships, one after the other:
    /// `.prefetching(\.books, then: \.authors, then: \.prizes)`.
    public func prefetching<
        Related: RelatedObjectsValue, Next: RelatedObjectsValue, Last: RelatedObjectsValue
    >(
        _ key: KeyPath<Object, Related>, then next: KeyPath<Related.Element, Next>,
        then last: KeyPath<Next.Element, Last>
    ) -> Self {
        prefetching([RecordedKey.of(key), RecordedKey.of(next), RecordedKey.of(last)])
    }

    private func prefetching(_ keys: [RecordedKey]) -> Self {
        var request = self
        request.prefetching.append(keys.flatMap(\.relationships).joined(separator: "."))
        return request
    }
}

extension RecordedKey {
    /// The names of the relationships. That of an external attribute is the attribute.
    fileprivate var relationships: [String] { isExternal ? names.dropLast() : names }
}
