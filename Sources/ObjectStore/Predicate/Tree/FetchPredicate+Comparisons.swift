extension FetchPredicate {
    /// Creates a comparison of two expressions.
    ///
    ///     FetchPredicate(.key("name"), .beginsWith, .value(.string("pay")), options: .caseInsensitive)
    public init(
        _ left: Expression, _ comparator: Comparator, _ right: Expression,
        quantifier: Quantifier = .single, options: StringOptions = []
    ) {
        self.init(
            .comparison(Comparison(left, comparator, right, quantifier: quantifier, options: options)))
    }
}
