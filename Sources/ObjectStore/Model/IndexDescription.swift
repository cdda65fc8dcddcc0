/// An index of an entity: its keys in order and an optional condition.
///
///     .index("dueDate")
///     .index("name", where: try FetchPredicate("completed == NO"))
///
/// With a condition, the index is partial: it contains only the objects that satisfy the condition. The condition
/// can only compare attributes of the entity with constants.
public struct IndexDescription: Hashable, Sendable {
    public var keys: [Key]
    public var condition: FetchPredicate?

    /// One key of an index: an attribute or a to-one relationship, and its direction.
    public struct Key: Hashable, Sendable {
        public var name: String
        public var isAscending: Bool
    }

    public init(keys: [Key], where condition: FetchPredicate? = nil) {
        self.keys = keys
        self.condition = condition
    }

    public static func index(_ keys: String..., where condition: FetchPredicate? = nil) -> Self {
        Self(keys: keys.map { Key(name: $0, isAscending: true) }, where: condition)
    }
}
