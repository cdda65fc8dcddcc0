/// A translator of predicates into SQL conditions.
///
///     completed == NO AND dueDate <= $now        t0."completed" = 0 AND t0."dueDate" <= ?
///     category.name == nil                       t1."name" IS NULL
///     NOT (dueDate < %@)                         (t0."dueDate" < ?) IS NOT TRUE
///     name BEGINSWITH "pay"                      t0."name" >= 'pay' AND t0."name" < 'paz'
///     name ==[c] %@                              folded(t0."name", 1) = ?
///     price < 9.5                                decimal_rank(t0."price") < decimal_rank('9.5')
///
/// An SQL condition may be NULL, while a predicate is either true or false. NULL counts as false at the top
/// level and in the operands of AND and OR. Only a negation has to turn NULL into false.
struct SQLPredicate {
    let scope: SQLScope
    /// Whether the SQL is part of a query. The condition of an index cannot have bindings, subselects or
    /// functions.
    let isForQuery: Bool
    /// The tables of the objects in scope, by the numbers of their frames.
    private var frames: [Int: SQLScope] = [:]

    init(scope: SQLScope, isForQuery: Bool = true) {
        self.scope = scope
        self.isForQuery = isForQuery
        frames[0] = scope
    }

    func condition(_ predicate: FetchPredicate) throws -> SQLFragment {
        let resolved = try predicate.resolved(against: scope.entity, in: scope.model)
        return try condition(resolved.condition)
    }

    /// Returns the tables of an object in scope.
    func scope(_ frame: Int) -> SQLScope {
        frames[frame] ?? scope
    }

    /// Returns a copy of this translation with the objects of one more step in scope.
    func viewing(_ frame: Int, in inner: SQLScope) -> SQLPredicate {
        var copy = self
        copy.frames[frame] = inner
        return copy
    }

    /// Throws if the SQL is for an index, which allows only comparisons of attributes with constants.
    func requireQuery() throws {
        guard isForQuery else {
            throw FetchError(
                .unsupported, "an index can only compare attributes of its entity with constants")
        }
    }

    // MARK: - Conditions

    func condition(_ condition: ResolvedCondition) throws -> SQLFragment {
        switch condition {
        case .constant(let holds): return SQLFragment(holds ? "1" : "0")
        case .and(let conditions): return try combined(conditions, " AND ", none: "1")
        case .or(let conditions): return try combined(conditions, " OR ", none: "0")
        case .not(let condition): return try negation(of: condition)
        case .isNull(let operand): return try value(operand) + " IS NULL"
        case .compare(let left, let relation, let right, let options):
            return try comparison(left, relation, right, options: options)
        case .between(let operand, let low, let high, let options):
            let isRanked = [operand, low, high].contains(where: \.isDecimal)
            return try ordered(operand, options: options, isRanked: isRanked) + " BETWEEN "
                + ordered(low, options: options, isRanked: isRanked)
                + " AND " + ordered(high, options: options, isRanked: isRanked)
        case .member(let operand, let members, let options):
            return try membership(of: operand, in: members, options: options)
        case .text(let operand, let test):
            return try text(operand, test)
        case .exists(let collection, let condition):
            if let linked = linkedObject(collection, condition) { return linked }
            return try "EXISTS " + subselect(collection, where: condition) { _ in SQLFragment("1") }
        }
    }

    private func negation(of condition: ResolvedCondition) throws -> SQLFragment {
        switch condition {
        case .isNull(let operand): try value(operand) + " IS NOT NULL"
        case .exists: try "NOT " + self.condition(condition)
        case .constant(let holds): SQLFragment(holds ? "0" : "1")
        default: try "(" + self.condition(condition) + ") IS NOT TRUE"
        }
    }

    /// Joins conditions with AND or OR. SQLite parses a chain into a tree as deep as the chain is long, and
    /// it limits that depth. Long chains are therefore split into groups.
    private func combined(
        _ conditions: [ResolvedCondition], _ word: String, none: String
    ) throws -> SQLFragment {
        if conditions.count == 1 { return try condition(conditions[0]) }
        var pieces: [SQLFragment] = []
        for condition in conditions.deepestFirst { pieces.append(try operand(condition, of: word)) }
        while pieces.count > Self.chainLimit {
            pieces = stride(from: 0, to: pieces.count, by: Self.chainLimit).map { start in
                let group = pieces[start..<min(start + Self.chainLimit, pieces.count)]
                return "(" + .joined(Array(group), by: word) + ")"
            }
        }
        return pieces.isEmpty ? SQLFragment(none) : .joined(pieces, by: word)
    }

    /// SQLite rejects expressions deeper than 1000.
    private static let chainLimit = 200

    /// Translates a condition, in parentheses if it needs them next to others.
    func operand(_ condition: ResolvedCondition, of word: String = " AND ") throws -> SQLFragment {
        switch condition {
        case .and(let conditions) where conditions.count == 1,
            .or(let conditions) where conditions.count == 1:
            try operand(conditions[0], of: word)
        case .and(let conditions) where conditions.count > 1,
            .or(let conditions) where conditions.count > 1:
            try "(" + self.condition(condition) + ")"
        // The SQL of a range of text contains an AND.
        case .text(_, let test) where test.options.isEmpty && word == " OR ":
            try "(" + self.condition(condition) + ")"
        default: try self.condition(condition)
        }
    }

    // MARK: - Comparisons

    private func comparison(
        _ left: ResolvedValue, _ relation: ResolvedCondition.Relation, _ right: ResolvedValue,
        options: StringOptions
    ) throws -> SQLFragment {
        let sign: String
        switch relation {
        // `IS` treats two NULLs as equal. A constant here is never NULL, and `=` makes the best use of
        // indexes.
        case .equal: sign = left.isConstant || right.isConstant ? " = " : " IS "
        case .notEqual: sign = " <> "
        case .less: sign = " < "
        case .lessOrEqual: sign = " <= "
        case .greater: sign = " > "
        case .greaterOrEqual: sign = " >= "
        }
        let isRanked = relation.isOrder && (left.isDecimal || right.isDecimal)
        return try ordered(left, options: options, isRanked: isRanked) + sign
            + ordered(right, options: options, isRanked: isRanked)
    }

    /// Translates one side of an ordered comparison. A decimal becomes its rank.
    private func ordered(
        _ operand: ResolvedValue, options: StringOptions, isRanked: Bool
    ) throws -> SQLFragment {
        guard isRanked else { return try folded(operand, options) }
        try requireQuery()
        return try "decimal_rank(" + value(operand) + ")"
    }

    private func membership(
        of operand: ResolvedValue, in members: [ResolvedValue], options: StringOptions
    ) throws -> SQLFragment {
        let left = try folded(operand, options)
        guard members.count > Self.listLimit, members.allSatisfy(\.isConstant), isForQuery else {
            return try left + " IN (" + .joined(members.map { try folded($0, options) }, by: ", ") + ")"
        }
        let values = members.compactMap { $0.constant?.folded(options) }
        let (json, isPacked) = PackedValue.json(values)
        let element = isPacked ? "unpacked(value)" : "value"
        return left + " IN (SELECT \(element) FROM json_each(" + .bound(.string(json)) + "))"
    }

    /// A longer list of constants becomes one binding because a statement accepts only about 32,000 bindings.
    private static let listLimit = 100

    /// Translates a value, folded as the comparison options require.
    func folded(_ operand: ResolvedValue, _ options: StringOptions) throws -> SQLFragment {
        if case .constant(let constant, let source) = operand {
            return self.constant(constant, source, folded: options)
        }
        guard !options.isEmpty else { return try value(operand) }
        try requireQuery()
        return try "folded(" + value(operand) + ", \(options.rawValue))"
    }

    /// Translates a constant, folded as the comparison options require.
    func constant(
        _ value: AttributeValue, _ source: ConstantSource, folded options: StringOptions
    ) -> SQLFragment {
        constant(value.folded(options), source.after(.folded(options)))
    }

    /// Translates a constant into a literal if its text is exact and short, otherwise into a binding.
    func constant(_ value: AttributeValue, _ source: ConstantSource) -> SQLFragment {
        guard isForQuery else { return .literal(value) }
        return switch source {
        case .literal: value.hasExactLiteral ? .literal(value) : .bound(value, .constant(value))
        case .bound(let use): .bound(value, use.map { .argument($0) })
        }
    }
}

extension ResolvedCondition.Relation {
    fileprivate var isOrder: Bool { self != .equal && self != .notEqual }
}

extension ResolvedValue {
    var isConstant: Bool { constant != nil }

    /// The value of the constant, or `nil` if this is not a constant.
    fileprivate var constant: AttributeValue? {
        if case .constant(let constant, _) = self { constant } else { nil }
    }
}

extension [ResolvedCondition] {
    /// The conditions in the same order, or the deepest first if one of them is deep. SQLite's parser has a
    /// small stack, which holds everything before a parenthesis until that parenthesis closes.
    fileprivate var deepestFirst: [ResolvedCondition] {
        let depths = map(\.depth)
        guard let deepest = depths.max(), deepest > 3 else { return self }
        return indices.sorted { (depths[$1], $0) < (depths[$0], $1) }.map { self[$0] }
    }
}

extension ResolvedCondition {
    /// The nesting depth of parentheses in the condition's SQL, without those of its values.
    fileprivate var depth: Int {
        switch self {
        case .and(let conditions), .or(let conditions): 1 + (conditions.lazy.map(\.depth).max() ?? 0)
        case .not(let condition): 1 + condition.depth
        case .exists(_, let condition): 3 + condition.depth
        default: 0
        }
    }
}

extension AttributeValue {
    /// Whether SQLite reads the literal as exactly this value. SQLite and Swift round some numbers of more
    /// than fifteen digits differently, and a long text would make the statement long.
    fileprivate var hasExactLiteral: Bool {
        switch self {
        case .null, .boolean, .integer, .uuid: true
        case .double(let number): number.isShort
        case .date(let moment): moment.secondsSince1970.isShort
        case .string(let text), .decimal(let text), .uri(let text): text.utf8.count <= 200
        case .binary(let bytes): bytes.count <= 100
        }
    }
}

extension Double {
    fileprivate var isShort: Bool {
        abs(self) < 0x1p53
            && (self == rounded(.towardZero) || abs(self) > 1e-6 && description.utf8.count <= 15)
    }
}
