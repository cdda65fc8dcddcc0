extension FetchPredicate {
    /// Parses a predicate from a format and the arguments for its `%` placeholders, in order.
    ///
    ///     try FetchPredicate("name BEGINSWITH[cd] %@ AND dueDate <= $now", "pay")
    ///
    /// `%@` accepts any value, `%K` a key path, `%d` and similar placeholders an integer, and `%f` and similar
    /// placeholders a number. `nil` is a valid argument. Time and memory are bounded by the length of the format.
    ///
    /// - Throws: if the format has a syntax error or the arguments do not match it. The error has the offset.
    public init(
        _ format: String, _ arguments: (any PredicateArgument)?...
    ) throws(FetchPredicateError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Parses a predicate from a format and a list of the arguments for its `%` placeholders.
    public init(format: String, arguments: [(any PredicateArgument)?]) throws(FetchPredicateError) {
        var parser = PredicateParser(format, arguments: arguments.map { $0?.predicateExpression ?? .null })
        self.init(try parser.parse())
    }
}
