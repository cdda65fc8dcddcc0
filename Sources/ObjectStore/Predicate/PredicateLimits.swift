/// Limits on the resources that a predicate can use.
package enum PredicateLimits {
    /// The maximum nesting of parentheses and operators in a format or a tree.
    package static let nestingLevels = 64

    /// The maximum number of entries on the stack of SQLite's parser, which has a hundred.
    ///
    /// A level of a subquery needs eight of them, and any other level one or a few.
    package static let parserStackEntries = 80

    /// The maximum number of nodes in a predicate. Constants in lists do not count.
    package static let nodes = 10_000

    /// The maximum number of bytes of a format that an error message quotes.
    package static let excerptBytes = 40
}
