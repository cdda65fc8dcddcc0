internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// The conditions for the alarms of an item: `leads` are those that are counted from the due time, `alerts` the others.
enum AlarmConditions {
    typealias Node = FetchPredicate.Node
    typealias Path = FetchPredicate.Path

    private static let variable = "alarm"

    /// Returns the condition that an alarm is one of the field.
    static func isOf(_ field: ItemField, variable: String = variable) -> Node {
        let anchor = Path(root: .variable(variable), keys: ["anchor"])
        return .comparison(.init(.path(anchor), field == .leads ? .equal : .notEqual, zero))
    }

    private static let zero = FetchPredicate.Expression.constant(.init(.integer(0)))

    /// Returns the aggregate of the alarms of the field for `leads.@count`, or `nil` for another one.
    static func aggregate(_ aggregate: FetchPredicate.Aggregate) -> FetchPredicate.Aggregate? {
        let path = aggregate.path
        guard case .object = path.root, path.keys.count == 1, let field = ItemField(rawValue: path.keys[0]),
            field == .leads || field == .alerts && aggregate.operation == .count
        else { return nil }
        var copy = aggregate
        copy.path = alarms(isOf(field), origin: path.origin)
        if aggregate.operation != .count { copy.path.keys = ["offset"] }
        return copy
    }

    private static func alarms(_ condition: Node, origin: FetchPredicate.Origin) -> Path {
        let subquery = FetchPredicate.Subquery(Path(keys: ["alarms"]), variable: variable, where: condition)
        return Path(root: .subquery(subquery), keys: [], origin: origin)
    }

    /// Returns the condition for `ANY leads == 3600`, or `nil` for another comparison.
    static func condition(_ comparison: FetchPredicate.Comparison) -> Node? {
        guard case .path(let path) = comparison.left, case .object = path.root, path.keys == ["leads"] else {
            return nil
        }
        var single = comparison
        single.left = .path(Path(root: .variable(variable), keys: ["offset"], origin: path.origin))
        single.quantifier = .single
        let holds = Node.comparison(single)
        let counted: Node
        switch comparison.quantifier {
        case .single: return nil
        case .any, .none: counted = holds
        case .all: counted = .not(holds)
        }
        let count = FetchPredicate.Aggregate(
            .count, of: alarms(.and([isOf(.leads), counted]), origin: path.origin))
        return .comparison(.init(.aggregate(count), comparison.quantifier == .any ? .greater : .equal, zero))
    }
}
