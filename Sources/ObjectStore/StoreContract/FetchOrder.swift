/// One key of a sort order, its direction and its options.
///
///     [FetchOrder("dueDate"), FetchOrder("category.name", options: .caseInsensitive, ascending: false)]
///
/// Nil comes first in an ascending order and last in a descending one. With `nilIsLast`, it always comes last. Objects
/// that are equal in all keys are ordered by their IDs.
public struct FetchOrder: Hashable, Sendable {
    /// An attribute, a to-one relationship, an attribute at the end of to-one relationships, or `id` for the ID of
    /// the object. In a fetch of groups, an aggregate such as `@count` or `@sum.pages`, too.
    public var key: String
    /// Whether the least value comes first.
    public var isAscending: Bool
    /// The differences between strings that the order ignores.
    public var options: StringOptions
    /// Whether nil also comes last in an ascending order.
    public var nilIsLast: Bool
    /// Whether the number 0 means that there is no value, and has the same place as nil.
    public var zeroIsNil: Bool

    /// Creates an order by a key.
    public init(
        _ key: String, options: StringOptions = [], ascending: Bool = true,
        nilIsLast: Bool = false, zeroIsNil: Bool = false
    ) {
        self.key = key
        self.isAscending = ascending
        self.options = options
        self.nilIsLast = nilIsLast
        self.zeroIsNil = zeroIsNil
    }

    /// Creates an order by a column of a fetch of groups, such as `FetchOrder(.count, ascending: false)`.
    public init(
        _ column: FetchColumn, options: StringOptions = [], ascending: Bool = true,
        nilIsLast: Bool = false, zeroIsNil: Bool = false
    ) {
        let key = [column.operation.map { "@" + $0.rawValue }, column.key].compactMap { $0 }
        self.init(
            key.joined(separator: "."), options: options, ascending: ascending, nilIsLast: nilIsLast,
            zeroIsNil: zeroIsNil)
    }
}
