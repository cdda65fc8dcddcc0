/// An index of an entity: its keys in order and an optional condition.
///
///     .index("dueDate")
///     .index("name", where: try FetchPredicate("completed == NO"))
///
/// With a condition, the index is partial: it contains only the objects that satisfy the condition. The condition
/// can only compare attributes of the entity with constants.
public struct IndexDescription: Hashable, Sendable {
    /// The keys of the index, the most significant first.
    public var keys: [Key]
    /// The condition for an object to be in the index, or `nil` if all objects are.
    public var condition: FetchPredicate?

    /// One key of an index: an attribute or a to-one relationship, and its direction.
    public struct Key: Hashable, Sendable {
        /// The name of the attribute or to-one relationship.
        public var name: String
        /// Whether the smallest value comes first.
        public var isAscending: Bool
    }

    /// Creates an index.
    public init(keys: [Key], where condition: FetchPredicate? = nil) {
        self.keys = keys
        self.condition = condition
    }

    /// Creates an index with ascending keys.
    public static func index(_ keys: String..., where condition: FetchPredicate? = nil) -> Self {
        Self(keys: keys.map { Key(name: $0, isAscending: true) }, where: condition)
    }
}
