extension PredicateParser {
    mutating func advance() throws(FetchPredicateError) {
        token = try lexer.next()
    }

    mutating func expect(_ symbol: PredicateSymbol) throws(FetchPredicateError) {
        guard token.kind == .symbol(symbol) else { throw unexpected("\"\(symbol.rawValue)\"") }
        try advance()
    }

    /// Enters a nested level of the format. The caller decrements `depth` when it leaves the level.
    mutating func enter() throws(FetchPredicateError) {
        depth += 1
        guard depth <= PredicateLimits.nestingLevels else { throw tooDeep }
    }

    /// Sets `height` for an operator above operands with the maximum height `tallest`.
    mutating func grow(over tallest: Int) throws(FetchPredicateError) {
        height = tallest + 1
        guard height <= PredicateLimits.nestingLevels else { throw tooDeep }
    }

    private var tooDeep: FetchPredicateError {
        FetchPredicateError(
            .limit, at: token.range.lowerBound, found: "one level too many",
            expected: "at most \(PredicateLimits.nestingLevels) nested levels")
    }

    /// The hint for a list that is written as in other languages.
    static let listHint = "a list is written in braces: {1, 2}"

    func literal(_ value: AttributeValue, at offset: Int) -> FetchPredicate.Expression {
        .constant(FetchPredicate.Constant(value, origin: .literal(at: offset)))
    }

    func condition(_ term: Term) throws(FetchPredicateError) -> FetchPredicate.Node {
        switch term {
        case .condition(let node, _): return node
        case .value(.path(let path), _) where !path.keys.isEmpty && token.kind != .end:
            throw unexpected(
                "an operator", hint: "a boolean key is compared too: \(path.keys.last ?? "") == YES")
        case .value: throw unexpected("an operator and a value to compare with")
        }
    }

    func value(_ term: Term) throws(FetchPredicateError) -> FetchPredicate.Expression {
        switch term {
        case .value(let expression, _): return expression
        case .condition(_, let offset):
            throw FetchPredicateError(.syntax, at: offset, found: "a condition", expected: "a value")
        }
    }

    /// Returns the error for the current token, which is not valid here.
    func unexpected(_ expected: String, hint: String? = nil) -> FetchPredicateError {
        let found = token.kind == .end ? "the end of the format" : "\"\(lexer.excerpt(token.range))\""
        return FetchPredicateError(
            .syntax, at: token.range.lowerBound, found: found, expected: expected, hint: hint)
    }
}
