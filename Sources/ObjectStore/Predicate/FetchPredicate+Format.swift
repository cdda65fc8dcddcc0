extension FetchPredicate {
    /// Reads a predicate from a format and the values for its `%`s, in their order.
    ///
    ///     try FetchPredicate("name BEGINSWITH[cd] %@ AND dueDate <= $now", "pay")
    ///
    /// `%@` takes any value, `%K` a key path, `%d` and its like an integer, `%f` and its like a number.
    /// A `nil` is an argument like any other. Time and memory are bounded by the length of the format.
    ///
    /// - Throws: when the format is not in the language or the arguments do not fit it, with the place.
    public init(
        _ format: String, _ arguments: (any PredicateArgument)?...
    ) throws(FetchPredicateError) {
        try self.init(format: format, arguments: arguments)
    }

    /// Reads a predicate from a format and a list of the values for its `%`s.
    public init(format: String, arguments: [(any PredicateArgument)?]) throws(FetchPredicateError) {
        var parser = PredicateParser(format, arguments: arguments.map { $0?.predicateExpression ?? .null })
        self.init(try parser.parse())
    }
}
