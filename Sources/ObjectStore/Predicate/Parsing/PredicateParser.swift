/// A parser that reads a format into a tree, in one pass and without backtracking.
///
/// NOT has the highest precedence, then AND, then OR. An expression in parentheses can be a condition or a value, which
/// only its content shows. The rules therefore return either of them as a `Term`. Where the grammar needs one of
/// the two, the other is an error.
struct PredicateParser {
    /// The result of a grammar rule.
    enum Term {
        case condition(FetchPredicate.Node, at: Int)
        case value(FetchPredicate.Expression, at: Int)

        /// The offset in the format.
        var offset: Int {
            switch self {
            case .condition(_, let offset), .value(_, let offset): offset
            }
        }
    }

    var lexer: PredicateLexer
    var token = PredicateToken(kind: .end, range: 0..<0)
    var arguments: ArraySlice<FetchPredicate.Expression>
    private let argumentCount: Int
    var depth = 0
    /// The height of the tree that was parsed last.
    var height = 0

    init(_ format: String, arguments: [FetchPredicate.Expression]) {
        lexer = PredicateLexer(format)
        self.arguments = arguments[...]
        argumentCount = arguments.count
    }

    /// Parses the whole format as one condition.
    mutating func parse() throws(FetchPredicateError) -> FetchPredicate.Node {
        try advance()
        let node = try parseCondition()
        guard token.kind == .end else { throw unexpected("AND, OR or the end of the format") }
        guard arguments.isEmpty else {
            throw FetchPredicateError(
                .argument, at: token.range.lowerBound,
                found: "\(argumentCount) arguments",
                expected: "\(argumentCount - arguments.count), one for each % outside quotes")
        }
        return node
    }

    // MARK: - Conditions

    mutating func parseCondition() throws(FetchPredicateError) -> FetchPredicate.Node {
        let term = try parseOr()
        return try condition(term)
    }

    mutating func parseOr() throws(FetchPredicateError) -> Term {
        let first = try parseAnd()
        guard isOr else { return first }
        let start = token.range.lowerBound
        var nodes = [try condition(first)]
        var tallest = height
        while isOr {
            try advance()
            let next = try parseAnd()
            nodes.append(try condition(next))
            tallest = max(tallest, height)
        }
        try grow(over: tallest)
        return .condition(.or(nodes), at: start)
    }

    private mutating func parseAnd() throws(FetchPredicateError) -> Term {
        let first = try parseNot()
        guard isAnd else { return first }
        let start = token.range.lowerBound
        var nodes = [try condition(first)]
        var tallest = height
        while isAnd {
            try advance()
            let next = try parseNot()
            nodes.append(try condition(next))
            tallest = max(tallest, height)
        }
        try grow(over: tallest)
        return .condition(.and(nodes), at: start)
    }

    private var isOr: Bool { token.kind == .keyword(.or) || token.kind == .symbol(.or) }
    private var isAnd: Bool { token.kind == .keyword(.and) || token.kind == .symbol(.and) }

    private mutating func parseNot() throws(FetchPredicateError) -> Term {
        guard token.kind == .keyword(.not) || token.kind == .symbol(.not) else {
            return try parseComparison()
        }
        let start = token.range.lowerBound
        try enter()
        defer { depth -= 1 }
        try advance()
        let operand = try parseNot()
        try grow(over: height)
        return .condition(.not(try condition(operand)), at: start)
    }

    private mutating func parseComparison() throws(FetchPredicateError) -> Term {
        let quantifier = try parseQuantifier()
        let first = try parseBinary()
        guard var comparator = FetchPredicate.Comparator(token.kind) else {
            guard quantifier == .single else { throw unexpected("a comparison after its quantifier") }
            return first
        }
        let left = try value(first)
        let offset = token.range.lowerBound
        try advance()
        let options = try parseStringOptions(of: &comparator)
        let leftHeight = height
        let right = try parseValue()
        try grow(over: max(leftHeight, height))
        return .condition(
            .comparison(
                FetchPredicate.Comparison(
                    left, comparator, right, quantifier: quantifier, options: options,
                    origin: .literal(at: offset))),
            at: offset)
    }

    private mutating func parseQuantifier() throws(FetchPredicateError) -> FetchPredicate.Quantifier {
        let quantifier: FetchPredicate.Quantifier
        switch token.kind {
        case .keyword(.any), .keyword(.some): quantifier = .any
        case .keyword(.all): quantifier = .all
        case .keyword(.none): quantifier = .none
        default: return .single
        }
        let word = lexer.excerpt(token.range)
        try advance()
        if FetchPredicate.Comparator(token.kind) != nil {
            throw unexpected(
                "the comparison after \(word)",
                hint: "\(word) is a reserved word; a key of that name is #\(word)")
        }
        return quantifier
    }

    /// Parses `[c]`, `[d]`, `[cd]`, or the `[search]` of `CONTAINS[search]`.
    ///
    /// With `[n]` the strings are already normalized, so other options are ignored. `[l]` has no effect, because a
    /// store does not have the sort order of a language.
    private mutating func parseStringOptions(
        of comparator: inout FetchPredicate.Comparator
    ) throws(FetchPredicateError) -> StringOptions {
        guard token.kind == .symbol(.openBracket) else { return [] }
        try advance()
        if comparator == .contains, case .identifier(let word) = token.kind, word.lowercased() == "search" {
            try advance()
            try expect(.closeBracket)
            comparator = .containsWords
            return []
        }
        guard case .identifier(let letters) = token.kind, letters.utf8.allSatisfy("cdnlCDNL".utf8.contains)
        else {
            let isWord = if case .identifier = token.kind { true } else { false }
            throw unexpected("c, d, n, l or several of them", hint: isWord ? nil : Self.listHint)
        }
        try advance()
        try expect(.closeBracket)
        var options: StringOptions = []
        let lower = letters.lowercased()
        if lower.contains("c") { options.insert(.caseInsensitive) }
        if lower.contains("d") { options.insert(.diacriticInsensitive) }
        return lower.contains("n") ? [] : options
    }

    // MARK: - Arithmetic

    mutating func parseValue() throws(FetchPredicateError) -> FetchPredicate.Expression {
        try value(try parseBinary())
    }

    /// Parses values and the operators between them. Operators below the precedence `level` end the expression.
    private mutating func parseBinary(level: Int = 0) throws(FetchPredicateError) -> Term {
        var term = try parseUnary()
        while let sign = PredicateBinaryOperator(token.kind), sign.level >= level {
            let leftHeight = height
            try advance()
            let right = try parseBinary(level: sign.level + 1)
            try grow(over: max(leftHeight, height))
            term = .value(sign.expression(try value(term), try value(right)), at: term.offset)
        }
        return term
    }

    private mutating func parseUnary() throws(FetchPredicateError) -> Term {
        guard token.kind == .symbol(.minus) || token.kind == .symbol(.bitNot) else { return try parsePower() }
        let isMinus = token.kind == .symbol(.minus)
        let start = token.range.lowerBound
        try enter()
        defer { depth -= 1 }
        try advance()
        // A minus sign and a number are one constant, so that a format can contain `Int64.min`.
        let next = token
        if isMinus && next.kind == .integer(Int64.min.magnitude) {
            try advance()
            height = 1
            return .value(literal(.integer(.min), at: start), at: start)
        }
        let operand = try value(try parseUnary())
        try grow(over: height)
        guard isMinus else { return .value(.function(.onesComplement, [operand]), at: start) }
        guard case .constant(let constant) = operand else { return .value(.negation(operand), at: start) }
        switch (next.kind, constant.value) {
        case (.integer, .integer(let number)): return .value(literal(.integer(-number), at: start), at: start)
        case (.double, .double(let number)): return .value(literal(.double(-number), at: start), at: start)
        default: return .value(.negation(operand), at: start)
        }
    }

    /// Parses a power. `a ** b ** c` is `a ** (b ** c)`, and `-a ** b` is `-(a ** b)`.
    private mutating func parsePower() throws(FetchPredicateError) -> Term {
        let base = try parsePrimary()
        guard token.kind == .symbol(.power) else { return base }
        try enter()
        defer { depth -= 1 }
        let baseHeight = height
        try advance()
        let exponent = try parseUnary()
        try grow(over: max(baseHeight, height))
        return .value(.arithmetic(.power, try value(base), try value(exponent)), at: base.offset)
    }
}
