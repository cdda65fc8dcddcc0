extension FetchPredicate {
    /// One condition of a predicate: a comparison, or several conditions taken together.
    public indirect enum Node: Hashable, Sendable {
        /// `TRUEPREDICATE` or `FALSEPREDICATE`.
        case constant(Bool)
        case comparison(Comparison)
        /// Holds when each of the conditions does; with none of them it holds.
        case and([Node])
        /// Holds when at least one of the conditions does; with none of them it does not.
        case or([Node])
        /// Holds exactly when the condition does not: there is no third outcome, whatever is nil.
        case not(Node)
    }
}
