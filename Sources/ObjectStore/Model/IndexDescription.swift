/// An index of an entity: its keys in order and an optional condition.
///
///     .index("dueDate")
///     .index("name", where: try FetchPredicate("completed == NO"))
///     .search("name", "notes")
///
/// With a condition, the index is partial: it contains only the objects that satisfy the condition. The condition
/// can only compare attributes of the entity with constants.
///
/// A search index contains the words of texts, for `CONTAINS[search]`. In SQLite it is a table of FTS5, which triggers
/// keep up to date. A store of another kind ignores it. The results are the same with and without an index.
public struct IndexDescription: Hashable, Sendable {
    /// The kinds of index.
    public enum Kind: Hashable, Sendable {
        /// An index of values, for comparisons and orders.
        case values
        /// An index of the words of texts, for `CONTAINS[search]`.
        case search
    }

    /// The kind of the index.
    public var kind = Kind.values
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

    /// Creates an index of the words of one or several texts.
    public static func search(_ keys: String...) -> Self {
        var index = Self(keys: keys.map { Key(name: $0, isAscending: true) })
        index.kind = .search
        return index
    }
}

extension EntityDescription {
    /// Returns the search index of an attribute, or `nil` if there is none.
    func searchIndex(of attribute: String) -> IndexDescription? {
        indexes.first { index in index.kind == .search && index.keys.contains { $0.name == attribute } }
    }
}
