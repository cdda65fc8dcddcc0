extension PredicateParser {
    /// Parses a constant, a path, a list, a function, or an expression in parentheses.
    mutating func parsePrimary() throws(FetchPredicateError) -> Term {
        let start = token.range.lowerBound
        height = 1
        switch token.kind {
        case .symbol(.openParenthesis):
            try enter()
            defer { depth -= 1 }
            try advance()
            let term = try parseOr()
            if token.kind == .symbol(.comma) {
                throw unexpected("\")\"", hint: Self.listHint)
            }
            try expect(.closeParenthesis)
            return term
        case .symbol(.openBrace):
            return .value(try parseList(), at: start)
        case .string(let text):
            return .value(try constant(.string(text)), at: start)
        case .integer(let digits):
            guard let number = Int64(exactly: digits) else {
                throw unexpected("an integer of at most 64 bits", hint: "a decimal point makes it a double")
            }
            return .value(try constant(.integer(number)), at: start)
        case .double(let number):
            return .value(try constant(.double(number)), at: start)
        case .keyword(let keyword):
            return try parseKeyword(keyword)
        case .identifier(let name):
            try advance()
            if token.kind == .symbol(.openParenthesis) {
                return .value(try parseMember(of: parseFunction(name, at: start)), at: start)
            }
            guard !name.contains(":") else { throw unexpected("the ( after a function's name") }
            return .value(try parsePath(.object, keys: [name], at: start), at: start)
        case .variable(let name):
            try advance()
            return .value(try parsePath(.variable(name), at: start), at: start)
        case .collectionOperator(let name):
            return .value(try parseLeadingOperator(name), at: start)
        case .substitution(let kind):
            return .value(try parseSubstitution(kind), at: start)
        case .symbol, .end:
            throw unexpected("an expression")
        }
    }

    private mutating func constant(
        _ value: AttributeValue
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        let start = token.range.lowerBound
        try advance()
        return literal(value, at: start)
    }

    private mutating func parseKeyword(_ keyword: PredicateKeyword) throws(FetchPredicateError) -> Term {
        let start = token.range.lowerBound
        switch keyword {
        case .yes, .true: return .value(try constant(.boolean(true)), at: start)
        case .no, .false: return .value(try constant(.boolean(false)), at: start)
        case .null, .nil: return .value(try constant(.null), at: start)
        case .truePredicate, .falsePredicate:
            try advance()
            return .condition(.constant(keyword == .truePredicate), at: start)
        case .itself:
            try advance()
            return .value(try parsePath(.object, at: start), at: start)
        case .subquery, .cast, .ternary:
            let word = lexer.excerpt(token.range)
            try advance()
            // The word is a function only if a parenthesis follows: `cast.name` is a path.
            guard token.kind == .symbol(.openParenthesis) else {
                return .value(try parsePath(.object, keys: [word], at: start), at: start)
            }
            switch keyword {
            case .subquery: return .value(try parseSubquery(at: start), at: start)
            case .cast: return .value(try parseMember(of: parseCast()), at: start)
            default: return .value(try parseMember(of: parseTernary()), at: start)
            }
        case .and, .or, .not, .any, .some, .all, .none, .between, .in, .beginsWith, .contains, .endsWith,
            .like, .matches:
            let word = lexer.excerpt(token.range)
            throw unexpected(
                "an expression", hint: "\(word) is a reserved word; a key of that name is #\(word)")
        }
    }

    private mutating func parseList() throws(FetchPredicateError) -> FetchPredicate.Expression {
        .list(try parseOperands(until: .closeBrace))
    }

    /// Parses values with commas between them, up to and including the closing symbol.
    private mutating func parseOperands(
        until closing: PredicateSymbol
    ) throws(FetchPredicateError) -> [FetchPredicate.Expression] {
        try enter()
        defer { depth -= 1 }
        try advance()
        var operands: [FetchPredicate.Expression] = []
        var tallest = 0
        if token.kind != .symbol(closing) {
            operands.append(try parseValue())
            tallest = height
            while token.kind == .symbol(.comma) {
                try advance()
                operands.append(try parseValue())
                tallest = max(tallest, height)
            }
        }
        try expect(closing)
        try grow(over: tallest)
        return operands
    }

    // MARK: - Functions

    private mutating func parseFunction(
        _ name: String, at start: Int
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        let nameRange = start..<(start + name.utf8.count)
        let operands = try parseOperands(until: .closeParenthesis)
        if let operation = FetchPredicate.CollectionOperator(functionNamed: name) {
            switch operands.count == 1 ? operands[0] : .null {
            case .path(let path): return .aggregate(FetchPredicate.Aggregate(operation, of: path))
            case .list(let elements): return try Self.aggregate(operation, name, of: elements, at: start)
            default:
                throw FetchPredicateError(
                    .syntax, at: start, found: "\(name) of something else",
                    expected: "\(name)(path) or \(name)({1, 2})")
            }
        }
        guard let function = FetchPredicate.Function(named: name) else {
            throw FetchPredicateError(
                .syntax, at: start, found: "the unknown function \(lexer.excerpt(nameRange))",
                expected: "one of the functions of the language, such as uppercase or abs")
        }
        guard operands.count == function.operandCount else {
            throw FetchPredicateError(
                .syntax, at: start, found: "\(function.rawValue) with \(operands.count) operands",
                expected: "\(function.operandCount)")
        }
        return .function(function, operands)
    }

    /// Computes an aggregate of a list of constants, such as `sum({1, 2, 3})`.
    private static func aggregate(
        _ operation: FetchPredicate.CollectionOperator, _ name: String,
        of elements: [FetchPredicate.Expression], at start: Int
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        var origin = FetchPredicate.Origin.literal(at: start)
        var accumulator = AggregateAccumulator(isDistinct: false)
        var types: Set<ValueType> = []
        for element in elements {
            guard case .constant(let constant) = element else {
                throw FetchPredicateError(
                    .syntax, at: start, found: "\(name) of a list with other elements",
                    expected: "a list of constants")
            }
            if !constant.origin.isLiteral { origin = .argument(at: start) }
            let type = ValueType(of: constant.value)
            if type != .null { types.insert(type) }
            accumulator.add(constant.value)
        }
        let numbers: Set<ValueType> = [.integer, .double]
        let isOfOneKind = types.count <= 1 || types.isSubset(of: numbers)
        let needsNumbers = operation == .sum || operation == .avg
        guard
            operation == .count
                || isOfOneKind && (!needsNumbers || types.isSubset(of: numbers.union([.decimal])))
        else {
            throw FetchPredicateError(
                .type, at: start, found: "\(name) of values of several types or of values without one",
                expected: needsNumbers ? "numbers" : "values of one type")
        }
        return .constant(FetchPredicate.Constant(accumulator.result(of: operation), origin: origin))
    }

    /// Parses `.length` after a call, as in `TERNARY(a, b, c).length`.
    private mutating func parseMember(
        of value: FetchPredicate.Expression
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        guard token.kind == .symbol(.dot) else { return value }
        try advance()
        guard token.kind == .identifier("length") else {
            throw unexpected("length", hint: "no other key can follow a call")
        }
        try advance()
        try grow(over: height)
        return .function(.length, [value])
    }

    private mutating func parseCast() throws(FetchPredicateError) -> FetchPredicate.Expression {
        try enter()
        defer { depth -= 1 }
        try expect(.openParenthesis)
        let isInParentheses = token.kind == .symbol(.openParenthesis)
        let operand = try parseValue()
        try grow(over: height)
        try expect(.comma)
        let names = FetchPredicate.CastType.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        guard case .string(let name) = token.kind, let type = FetchPredicate.CastType(rawValue: name) else {
            throw unexpected("one of " + names)
        }
        try advance()
        try expect(.closeParenthesis)
        guard case .constant(let constant) = operand, !isInParentheses else { return .cast(operand, type) }
        guard let value = constant.value.cast(to: type) else {
            throw FetchPredicateError(
                .type, at: constant.origin.offset,
                found: constant.value.kindName + " that cannot be cast to \(name)",
                expected: type.advice)
        }
        return .constant(FetchPredicate.Constant(value, origin: constant.origin))
    }

    private mutating func parseTernary() throws(FetchPredicateError) -> FetchPredicate.Expression {
        try enter()
        defer { depth -= 1 }
        try expect(.openParenthesis)
        let test = try parseCondition()
        var tallest = height
        try expect(.comma)
        let first = try parseValue()
        tallest = max(tallest, height)
        try expect(.comma)
        let second = try parseValue()
        try grow(over: max(tallest, height))
        try expect(.closeParenthesis)
        return .conditional(test, first, second)
    }

    private mutating func parseSubquery(
        at start: Int
    ) throws(FetchPredicateError) -> FetchPredicate.Expression {
        try enter()
        defer { depth -= 1 }
        try expect(.openParenthesis)
        let offset = token.range.lowerBound
        guard case .path(let collection) = try parseValue() else {
            throw FetchPredicateError(
                .syntax, at: offset, found: "something else", expected: "the path of a collection")
        }
        let collectionHeight = height
        try expect(.comma)
        guard case .variable(let name) = token.kind else { throw unexpected("a $variable for the element") }
        try advance()
        try expect(.comma)
        let test = try parseCondition()
        try grow(over: max(collectionHeight, height))
        try expect(.closeParenthesis)
        return try parsePath(
            .subquery(FetchPredicate.Subquery(collection, variable: name, where: test)), at: start)
    }
}
