/// A condition on the objects of an entity, which selects the objects of a fetch.
///
/// It is written as a format string in the language of Core Data's predicates, or built in Swift:
///
///     try FetchPredicate("completed == NO AND dueDate <= $now AND name BEGINSWITH[c] %@", "pay")
///     FetchPredicate(.key("completed"), .equal, .value(.boolean(false)))
///         && FetchPredicate(.key("dueDate"), .lessOrEqual, .variable("now"))
///
/// Both give the same kind of tree. The tree does not depend on an entity: `check(against:in:)` checks that an entity
/// has its keys. Two predicates are equal if their trees are equal. The offsets in a format do not matter, and neither
/// does the difference between a literal and an argument.
public struct FetchPredicate: Hashable, Sendable {
    /// The outermost operator of the condition.
    public var root: Node

    /// Creates a predicate from its outermost condition.
    public init(_ root: Node) {
        self.root = root
    }

    /// Matches every object: `TRUEPREDICATE`.
    public static let all = FetchPredicate(.constant(true))

    /// Matches no object: `FALSEPREDICATE`.
    public static let none = FetchPredicate(.constant(false))
}
