extension FetchPredicate.Expression {
    /// Parses a value from a format in the predicate language.
    ///
    ///     try FetchPredicate.Expression(format: "TERNARY(completed == YES, now(), nil)")
    ///
    /// - Throws: an error with the position if the format is not valid or does not match the arguments.
    public init(format: String, _ arguments: (any PredicateArgument)?...) throws(FetchPredicateError) {
        let values = arguments.map { $0?.predicateExpression ?? .null }
        var parser = PredicateParser(format, arguments: values)
        try parser.advance()
        let term = try parser.parseOr()
        guard parser.token.kind == .end else {
            throw parser.unexpected("an operator or the end of the format")
        }
        guard parser.arguments.isEmpty else {
            throw FetchPredicateError(
                .argument, at: parser.token.range.lowerBound, found: "\(values.count) arguments",
                expected: "\(values.count - parser.arguments.count), one for each % outside quotes")
        }
        self = try parser.value(term)
    }
}
