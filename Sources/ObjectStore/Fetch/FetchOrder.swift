/// One key of an order, its direction, and what it overlooks.
///
///     [FetchOrder("dueDate"), FetchOrder("category.name", options: .caseInsensitive, ascending: false)]
///
/// Nil comes before every value, and last where the order descends or `nilIsLast`. Objects that all keys leave equal
/// come in the order of their ids.
public struct FetchOrder: Hashable, Sendable {
    /// An attribute, a to-one relationship, or an attribute at the end of to-one relationships; `id` for
    /// the id of the object.
    public var key: String
    public var isAscending: Bool
    /// What a comparison of strings overlooks.
    public var options: FetchPredicate.StringOptions
    /// Whether nil comes after every value in an ascending order too.
    public var nilIsLast: Bool
    /// Whether the number 0 stands for no value, and comes where nil does.
    public var zeroIsNil: Bool

    public init(
        _ key: String, options: FetchPredicate.StringOptions = [], ascending: Bool = true,
        nilIsLast: Bool = false, zeroIsNil: Bool = false
    ) {
        self.key = key
        self.isAscending = ascending
        self.options = options
        self.nilIsLast = nilIsLast
        self.zeroIsNil = zeroIsNil
    }
}
