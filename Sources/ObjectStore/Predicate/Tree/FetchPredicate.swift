/// A condition on the objects of an entity: what a fetch looks for.
///
/// It is written as a format string in the language of Core Data's predicates, or built in Swift:
///
///     try FetchPredicate("completed == NO AND dueDate <= $now AND name BEGINSWITH[c] %@", "pay")
///     .key("completed") == false && .key("dueDate") <= .variable("now")
///
/// Either way it is the same tree of values. It knows no entity: `check(against:)` says whether an
/// entity has the keys it names. Two predicates are equal when their trees are; where in a format a
/// piece stood, and whether a value came as an argument, takes no part in that.
public struct FetchPredicate: Hashable, Sendable {
    /// The outermost operator of the condition.
    public var root: Node

    public init(_ root: Node) {
        self.root = root
    }

    /// Matches every object: `TRUEPREDICATE`.
    public static let all = FetchPredicate(.constant(true))

    /// Matches no object: `FALSEPREDICATE`.
    public static let none = FetchPredicate(.constant(false))
}
