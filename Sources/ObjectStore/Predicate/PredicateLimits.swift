/// Bounds on what a predicate may ask of the machine, whoever wrote it.
package enum PredicateLimits {
    /// Levels of parentheses, and of operators inside each other, in a format or a tree.
    package static let nesting = 64

    /// How much of SQLite's parser stack, which has a hundred places, a predicate may take. A plain
    /// level takes one, a level of a subquery eight.
    package static let parserStack = 80

    /// Pieces of one predicate that is asked of a store, the constants in its lists apart.
    package static let size = 10_000

    /// Characters of a piece of a format that an error repeats.
    package static let excerpt = 40
}
