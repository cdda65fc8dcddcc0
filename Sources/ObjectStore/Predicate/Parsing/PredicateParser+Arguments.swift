extension PredicateParser {
    /// Parses a `%` placeholder, which is replaced with a value or, for `%K`, with a path.
    mutating func parseSubstitution(
        _ kind: PredicateSubstitution
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        let start = token.range.lowerBound
        if kind == .keyPath { return try parseSubstitutedPath() }
        let argument = try nextArgument()
        switch (kind, argument) {
        case (.value, _): break
        case (.integer, .constant(let constant)), (.double, .constant(let constant)):
            return try parseNumber(constant.value, kind, at: start)
        default:
            throw wrongArgument(argument, kind == .integer ? "an integer" : "a number")
        }
        try advance()
        return argument.placed(at: start)
    }

    private mutating func parseNumber(
        _ value: AttributeValue, _ kind: PredicateSubstitution, at start: Int
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        let number: AttributeValue
        switch (kind, value) {
        case (.integer, .integer), (.integer, .boolean), (.double, .double): number = value
        case (.double, .integer(let whole)): number = .double(Double(whole))
        default: throw wrongArgument(.value(value), kind == .integer ? "an integer" : "a number")
        }
        try advance()
        return .constant(FetchPredicate.Constant(number, origin: .argument(at: start)))
    }

    /// Returns the text of the argument for the current `%K`.
    mutating func keyPathArgument() throws(FetchPredicateError) -> String {
        let argument = try nextArgument()
        guard case .constant(let constant) = argument, case .string(let path) = constant.value else {
            throw wrongArgument(argument, "the text of a key path")
        }
        guard !path.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
            throw wrongArgument(argument, "a key path without an empty key")
        }
        return path
    }

    private mutating func nextArgument() throws(FetchPredicateError) -> FetchPredicate.Expression {
        guard let argument = arguments.popFirst() else {
            throw FetchPredicateError(
                .argument, at: token.range.lowerBound, found: "no argument",
                expected: "one for \(lexer.excerpt(token.range))")
        }
        return argument
    }

    private func wrongArgument(
        _ argument: FetchPredicate.Expression, _ expected: String
    ) -> FetchPredicateError {
        FetchPredicateError(
            .argument, at: token.range.lowerBound, found: argument.kindName,
            expected: "\(expected) for \(lexer.excerpt(token.range))")
    }
}
