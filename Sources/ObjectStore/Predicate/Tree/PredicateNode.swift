extension FetchPredicate {
    /// One condition of a predicate: a comparison, or a combination of conditions.
    public indirect enum Node: Hashable, Sendable {
        /// `TRUEPREDICATE` or `FALSEPREDICATE`.
        case constant(Bool)
        /// A comparison of two operands.
        case comparison(Comparison)
        /// True if all of the conditions are true. True if there are none.
        case and([Node])
        /// True if at least one of the conditions is true. False if there are none.
        case or([Node])
        /// True if the condition is false. A condition is never unknown, even if a value is nil.
        case not(Node)
    }
}
