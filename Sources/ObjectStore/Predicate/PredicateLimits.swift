/// Bounds on what a predicate may ask of the machine, whoever wrote it.
package enum PredicateLimits {
    /// Levels of parentheses, NOT, functions and subqueries inside each other, and operators in one
    /// arithmetic chain. SQLite's parser keeps a stack of a hundred entries.
    package static let nesting = 64

    /// Characters of a piece of a format that an error repeats.
    package static let excerpt = 40
}
