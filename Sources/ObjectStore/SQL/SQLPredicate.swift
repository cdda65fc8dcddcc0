/// Turns the tree of a predicate into a condition of SQL.
///
///     completed == NO AND dueDate <= $now        t0."completed" = 0 AND t0."dueDate" <= ?
///     category.name == nil                       t1."name" IS NULL
///     NOT (dueDate < %@)                         (t0."dueDate" < ?) IS NOT TRUE
///
/// A condition of SQL may be unknown where a predicate only holds or does not. Where that shows, under a
/// negation, unknown is made false first.
struct SQLPredicate {
    let scope: SQLScope
    /// False where the text has no place for bindings: then every constant is a literal.
    var bindsValues = true

    func condition(_ node: FetchPredicate.Node) throws -> SQLFragment {
        switch node {
        case .constant(let holds): SQLFragment(holds ? "1" : "0")
        case .comparison(let comparison): try self.comparison(comparison)
        case .and(let nodes): try combined(nodes, " AND ", none: "1")
        case .or(let nodes): try combined(nodes, " OR ", none: "0")
        case .not(let node): try "(" + condition(node) + ") IS NOT TRUE"
        }
    }

    private func combined(
        _ nodes: [FetchPredicate.Node], _ word: String, none: String
    ) throws -> SQLFragment {
        if nodes.isEmpty { return SQLFragment(none) }
        let pieces = try nodes.map { node in
            let piece = try condition(node)
            return switch node {
            case .and, .or: nodes.count > 1 ? "(" + piece + ")" : piece
            default: piece
            }
        }
        return .joined(pieces, by: word)
    }

    private func comparison(_ comparison: FetchPredicate.Comparison) throws -> SQLFragment {
        switch comparison.quantifier {
        case .single: break
        case .any: return try exists(comparison)
        case .none: return try "NOT " + exists(comparison)
        case .all: throw FetchError(.unsupported, "ALL has no form in SQL")
        }
        let left = comparison.left
        let right = comparison.right
        if !comparison.options.isEmpty {
            guard comparison.comparator == .equal else {
                throw FetchError(.unsupported, "this comparison has no form in SQL")
            }
            let options = "\(comparison.options.rawValue)"
            return try "folded(" + expression(left) + ", \(options)) = folded(" + expression(right)
                + ", \(options))"
        }
        switch comparison.comparator {
        case .equal: return try equality(left, right, isNegated: false)
        case .notEqual: return try equality(left, right, isNegated: true)
        case .less: return try binary(left, " < ", right)
        case .lessOrEqual: return try binary(left, " <= ", right)
        case .greater: return try binary(left, " > ", right)
        case .greaterOrEqual: return try binary(left, " >= ", right)
        case .between:
            guard case .list(let bounds) = right, bounds.count == 2 else { break }
            return try expression(left) + " BETWEEN " + expression(bounds[0]) + " AND "
                + expression(bounds[1])
        case .in:
            guard case .list(let members) = right else { break }
            let list = SQLFragment.joined(try members.map(expression), by: ", ")
            return try expression(left) + " IN (" + list + ")"
        case .contains: return try "instr(" + expression(left) + ", " + expression(right) + ") > 0"
        case .beginsWith:
            let prefix = try expression(right)
            return try "substr(" + expression(left) + ", 1, length(" + prefix + ")) = " + prefix
        default: break
        }
        throw FetchError(.unsupported, "this comparison has no form in SQL")
    }

    /// `EXISTS (SELECT 1 FROM "ToDo" AS t1 WHERE t1."category" = t0."id" AND t1."completed" = 0)`
    private func exists(_ comparison: FetchPredicate.Comparison) throws -> SQLFragment {
        guard case .path(let path) = comparison.left, case .object = path.root,
            case .constant = comparison.right,
            let first = path.keys.first, let end = scope.entity.relationship(named: first),
            end.description.isToMany
        else {
            throw FetchError(.unsupported, "this comparison of a collection has no form in SQL")
        }
        let inner = SQLScope(entity: scope.model.destination(of: end), inside: scope)
        var rest = comparison
        rest.left = .path(FetchPredicate.Path(keys: Array(path.keys.dropFirst())))
        rest.quantifier = .single
        let condition = try SQLPredicate(scope: inner, bindsValues: bindsValues).condition(.comparison(rest))
        let isMember: String
        if let link = end.link {
            let (near, far) = link.isOwner ? ("owner", "other") : ("other", "owner")
            isMember =
                "\(inner.alias).\"id\" IN (SELECT \"\(far)\" FROM \(SQLFragment.quoted(link.table)) "
                + "WHERE \"\(near)\" = \(scope.alias).\"id\")"
        } else {
            isMember = "\(inner.alias).\(SQLFragment.quoted(end.description.inverse)) = \(scope.alias).\"id\""
        }
        return "EXISTS (SELECT 1 FROM \(inner.tables) WHERE \(isMember) AND " + condition + ")"
    }

    private func equality(
        _ left: FetchPredicate.Expression, _ right: FetchPredicate.Expression, isNegated: Bool
    ) throws -> SQLFragment {
        if Self.isNull(right) { return try expression(left) + (isNegated ? " IS NOT NULL" : " IS NULL") }
        if Self.isNull(left) { return try expression(right) + (isNegated ? " IS NOT NULL" : " IS NULL") }
        if case .constant = right { return try binary(left, isNegated ? " <> " : " = ", right) }
        return try binary(left, isNegated ? " IS NOT " : " IS ", right)
    }

    private func binary(
        _ left: FetchPredicate.Expression, _ word: String, _ right: FetchPredicate.Expression
    ) throws -> SQLFragment {
        try expression(left) + word + expression(right)
    }

    private func expression(_ expression: FetchPredicate.Expression) throws -> SQLFragment {
        switch expression {
        case .constant(let constant):
            return constant.origin.isLiteral || !bindsValues
                ? .literal(constant.value) : .bound(constant.value)
        case .path(let path):
            guard case .object = path.root else {
                throw FetchError(.unboundVariable, "a variable of the predicate has no value; bind it first")
            }
            return SQLFragment(try scope.column(path.keys).sql)
        default:
            throw FetchError(.unsupported, "this expression has no form in SQL")
        }
    }

    private static func isNull(_ expression: FetchPredicate.Expression) -> Bool {
        if case .constant(let constant) = expression { constant.value.isNull } else { false }
    }
}
