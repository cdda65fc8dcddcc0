/// The keys of a group of objects, for a condition that selects groups.
///
///     { $0.count > 3 && $0.average(\.pages) < 200 && $0.genre != .poetry }
///
/// A member is a key by which the objects are grouped.
@dynamicMemberLookup
public struct GroupKeys<Object: ManagedObject> {
    init() {}

    /// An attribute by which the objects are grouped.
    public subscript<Value: AttributeValueConvertible>(
        dynamicMember member: KeyPath<Object, Value>
    ) -> PropertyKey<Value> {
        Keys()[dynamicMember: member]
    }

    /// A to-one relationship, at the end of which is an attribute by which the objects are grouped.
    public subscript<Destination: ManagedObject>(
        dynamicMember member: KeyPath<Object, Destination?>
    ) -> ToOneKey<Destination> {
        Keys()[dynamicMember: member]
    }

    /// A composite attribute, by a part of which the objects are grouped.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember member: KeyPath<Object, Composed>
    ) -> CompositeKey<Composed> {
        Keys()[dynamicMember: member]
    }

    /// An optional composite attribute, by a part of which the objects are grouped.
    public subscript<Composed: CompositeAttribute>(
        dynamicMember member: KeyPath<Object, Composed?>
    ) -> OptionalCompositeKey<Composed> {
        Keys()[dynamicMember: member]
    }

    /// The number of objects.
    public var count: PropertyKey<Int> { aggregate(.count, FetchPredicate.Path()) }

    /// The sum of the values that are not nil, or nil if there are none, as in SQL. The sum over a relationship is 0 then.
    public func sum<Value: AttributeNumber>(
        _ member: KeyPath<Object, Value>
    ) -> PropertyKey<Value.NonOptional?> {
        aggregate(.sum, path(member))
    }

    /// The average of the values, or nil if there are none.
    public func average<Value: AttributeNumber>(
        _ member: KeyPath<Object, Value>
    ) -> PropertyKey<Double?> {
        aggregate(.avg, path(member))
    }

    /// The least value, or nil if there are none.
    public func min<Value: AttributeValueConvertible>(
        _ member: KeyPath<Object, Value>
    ) -> PropertyKey<Value.NonOptional?> {
        aggregate(.min, path(member))
    }

    /// The greatest value, or nil if there are none.
    public func max<Value: AttributeValueConvertible>(
        _ member: KeyPath<Object, Value>
    ) -> PropertyKey<Value.NonOptional?> {
        aggregate(.max, path(member))
    }

    private func path<Value>(_ member: KeyPath<Object, Value>) -> FetchPredicate.Path {
        RecordedKey.of(member).path(from: FetchPredicate.Path())
    }

    private func aggregate<Result>(
        _ operation: FetchPredicate.CollectionOperator, _ values: FetchPredicate.Path
    ) -> PropertyKey<Result> {
        PropertyKey(.aggregate(FetchPredicate.Aggregate(operation, of: values)))
    }
}
