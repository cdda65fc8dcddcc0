internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

/// The predicate of a list, with the names of the API.
///
/// `due < "friday" AND category == "Home"` becomes a predicate for `dueDate` and `category.name`. The names of the
/// model are accepted, too. A text that is compared with a date is a typed time. A day means all of it, so
/// `due == "friday"` is any time on Friday.
struct ItemPredicate {
    /// The names with which a predicate also finds items that are done.
    private static let keysOfCompletion: Set = ["completed", "completedDate", "completedAt", "cancelled"]

    let predicate: FetchPredicate

    /// Whether the predicate itself tests if items are completed.
    let namesCompletion: Bool
    /// Whether the predicate names the start.
    let namesStart: Bool

    /// Parses and translates a predicate.
    ///
    /// - Parameter bound: parses a typed time.
    init(
        _ format: String, _ arguments: [(any PredicateArgument)?], in model: ManagedObjectModel,
        now: Timestamp,
        zone: TimeZoneRules, bound: @escaping (String) throws(APIError) -> FilterBound
    ) throws {
        let typed: FetchPredicate
        do throws(FetchPredicateError) {
            typed = try FetchPredicate(format: format, arguments: arguments)
        } catch {
            throw Self.error(error, in: format)
        }
        var translation = Translation(
            entity: model.entity(of: ToDo.self), category: model.entity(of: Category.self),
            variables: PredicateVariables(now: now, zone: zone, bound: bound),
            rules: TypedRules(now: now, zone: zone), bound: bound)
        predicate = FetchPredicate(translation.rewrite(typed.root))
        namesCompletion = translation.namesCompletion
        namesStart = translation.namesStart
        if let failure = translation.failure { throw failure }
        if let entity = translation.entity { try predicate.check(against: entity, in: model) }
    }
}

extension ItemPredicate {
    private static let booleanFields = [
        "completed", "cancelled", "muted", "afterDone", "categoryMuted", "category.muted", "blocked",
    ]

    /// Returns the error with advice if it comes after a Boolean field without a value, as in `muted`.
    private static func error(_ error: FetchPredicateError, in format: String) -> FetchPredicateError {
        guard error.code == .syntax, error.hint == nil, let offset = error.offset else { return error }
        let words = String(decoding: format.utf8.prefix(offset), as: UTF8.self).split {
            !$0.isLetter && $0 != "."
        }
        guard let word = words.last.map(String.init), booleanFields.contains(word) else { return error }
        var advised = error
        advised.hint = "a boolean field is compared too: \(word) == YES"
        return advised
    }
}

/// Replaces the names of the API with those of the model, and typed times with dates.
private struct Translation: PredicateRewriter {
    typealias Expression = FetchPredicate.Expression
    typealias Node = FetchPredicate.Node

    let entity: Entity?
    let category: Entity?
    let variables: PredicateVariables
    let rules: TypedRules
    let bound: (String) throws(APIError) -> FilterBound
    private(set) var namesCompletion = false
    private(set) var namesStart = false
    /// The first error.
    private(set) var failure: (any Error)?
    /// The variables of the enclosing subqueries.
    private var elements: Set<String> = []

    private static let dates: Set<[String]> = {
        let fields = ItemField.allCases.filter {
            switch $0.traits.property {
            case .moment, .time: true
            default: false
            }
        }
        return Set(fields.map { [$0.key] })
            .union([["recurrenceStart"], ["category", "createdDate"], ["category", "modifiedDate"]])
    }()

    init(
        entity: Entity?, category: Entity?, variables: PredicateVariables, rules: TypedRules,
        bound: @escaping (String) throws(APIError) -> FilterBound
    ) {
        self.entity = entity
        self.category = category
        self.variables = variables
        self.rules = rules
        self.bound = bound
    }

    private mutating func fail(_ error: any Error) { failure = failure ?? error }

    // MARK: - Names

    mutating func rewrite(_ expression: Expression) -> Expression {
        if case .aggregate(let aggregate) = expression,
            let ofAlarms = AlarmConditions.aggregate(aggregate)
        {
            return .aggregate(ofAlarms)
        }
        return rewriteParts(of: expression)
    }

    mutating func rewrite(leaf path: FetchPredicate.Path) -> Expression {
        guard case .variable(let name) = path.root, !elements.contains(name) else {
            return counted(rewrite(path), typedAs: path)
        }
        do throws(APIError) {
            if path.keys.isEmpty, let moment = try variables.moment(name) {
                return moment.expression(at: path.origin)
            }
        } catch {
            fail(error)
        }
        fail(
            FetchPredicateError(
                .unboundVariable, at: path.origin.offset, found: "$\(name)",
                expected: "one of \(PredicateVariables.names.map { "$\($0)" }.joined(separator: ", "))"))
        return .path(path)
    }

    /// Returns the number that `children` or `childrenDone` means, the flag that `blocked` means, or the path for other
    /// fields.
    private func counted(_ path: FetchPredicate.Path, typedAs typed: FetchPredicate.Path) -> Expression {
        guard case .object = typed.root, typed.keys.count == 1 else { return .path(path) }
        func number(completed: Bool) -> Expression {
            let variable = "related"
            let flag = FetchPredicate.Path(root: .variable(variable), keys: ["completed"])
            let subquery = FetchPredicate.Subquery(
                path, variable: variable,
                where: .compare(.path(flag), .equal, .constant(FetchPredicate.Constant(.boolean(completed)))))
            return .aggregate(
                FetchPredicate.Aggregate(.count, of: FetchPredicate.Path(root: .subquery(subquery))))
        }
        switch ItemField(rawValue: typed.keys[0]) {
        case .children?: return .aggregate(FetchPredicate.Aggregate(.count, of: path))
        case .childrenDone?: return number(completed: true)
        case .blocked?:
            return .conditional(
                .compare(
                    number(completed: false), .greater, .constant(FetchPredicate.Constant(.integer(0)))),
                .constant(FetchPredicate.Constant(.boolean(true))),
                .constant(FetchPredicate.Constant(.boolean(false))))
        default: return .path(path)
        }
    }

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        var copy = path
        switch path.root {
        case .object: copy.keys = modelKeys(of: path)
        case .variable: break
        case .subquery(let subquery): copy.root = .subquery(rewrite(subquery))
        }
        return copy
    }

    mutating func rewrite(_ subquery: FetchPredicate.Subquery) -> FetchPredicate.Subquery {
        var copy = subquery
        let isOfLeads = subquery.collection.keys.first == ItemField.leads.rawValue
        copy.collection = rewrite(subquery.collection)
        if [["alarms", "offset"], ["tags", "name"], ["links", "url"]].contains(copy.collection.keys) {
            copy.collection.keys.removeLast()
        }
        let isNew = elements.insert(subquery.variable).inserted
        copy.condition = rewrite(subquery.condition)
        if isOfLeads {
            copy.condition = .and([
                AlarmConditions.isOf(.leads, variable: subquery.variable), copy.condition,
            ])
        }
        if isNew { elements.remove(subquery.variable) }
        return copy
    }

    /// Returns the keys of the model for the typed ones.
    private mutating func modelKeys(of path: FetchPredicate.Path) -> [String] {
        guard let first = path.keys.first else { return path.keys }
        if ["completed", "completedDate", "completedAt", "cancelled"].contains(first) {
            namesCompletion = true
        }
        if ["start", "startDate"].contains(first) { namesStart = true }
        let rest = path.keys.dropFirst()
        switch ItemField(rawValue: first) {
        case .heldUntil?:
            fail(
                FetchPredicateError(
                    .unknownKey, at: path.origin.offset, found: "heldUntil, which is not stored",
                    expected: "nextAlert, the time of the next alert before it is held back"))
            return path.keys
        case .parent? where !rest.isEmpty: return ["parent"] + keysOfOther(path, rest)
        case .children?, .childrenDone?: return ["children"] + (rest.isEmpty ? [] : keysOfOther(path, rest))
        case .blockedBy? where !rest.isEmpty: return ["blockers"] + keysOfOther(path, rest)
        case .blocks? where !rest.isEmpty: return ["blockedItems"] + keysOfOther(path, rest)
        case .blocked?: return ["blockers"]
        // `category.muted` begins at the category itself.
        case .category?:
            guard let next = rest.first else { return ["category", "name"] }
            let names = ["muted": "doNotAlert", "createdAt": "createdDate", "modifiedAt": "modifiedDate"]
            let key = names[next] ?? next
            if key != "id", let category, category.property(named: key) == nil {
                let near = EditDistance.nearest(to: next, among: ["name"] + names.keys.sorted())
                fail(
                    FetchPredicateError(
                        .unknownKey, at: path.origin.offset, found: "the unknown key category.\(next)",
                        expected: "a field of a category\(near.map { ", perhaps \($0)" } ?? "")"))
            }
            return ["category", key] + rest.dropFirst()
        case .leads?: return ["alarms", "offset"] + rest
        case .alerts?:
            fail(
                FetchPredicateError(
                    .unknownKey, at: path.origin.offset, found: "alerts",
                    expected: "their number, alerts.@count, or the time of the next alert, nextAlert"))
            return path.keys
        case .tags? where !rest.isEmpty, .links? where !rest.isEmpty: return path.keys
        case .links?: return ["links", "url"]
        case let field?: return field.key.split(separator: ".").map(String.init) + rest
        case nil: if first == "id" || entity?.property(named: first) != nil { return path.keys }
        }
        if path.keys.count == 1, (try? bound(first)) != nil {
            fail(
                FetchPredicateError(
                    .unknownKey, at: path.origin.offset, found: "the unknown key \(first)",
                    expected: "a field of an item, or a time in quotes: \"\(first)\""))
            return path.keys
        }
        let names = ItemField.allCases.filter { $0 != .heldUntil }.map(\.rawValue)
        let near = ItemField.nearest(to: first, among: ItemField.allCases.filter { $0 != .heldUntil })
        fail(
            FetchPredicateError(
                .unknownKey, at: path.origin.offset, found: "the unknown key \(first)",
                expected: near.map { "a field of an item, perhaps \($0)" }
                    ?? "a field of an item: \(names.joined(separator: ", "))",
                hint: path.keys.count == 1 ? "if it is text, put it in quotes" : nil))
        return path.keys
    }

    /// Returns the keys of the model for the part of a path that begins at another item. The state of that item does not
    /// select the state of the items of the list.
    private mutating func keysOfOther(_ path: FetchPredicate.Path, _ rest: ArraySlice<String>) -> [String] {
        let (completion, start) = (namesCompletion, namesStart)
        var other = path
        other.keys = Array(rest)
        let keys = modelKeys(of: other)
        (namesCompletion, namesStart) = (completion, start)
        return keys
    }

    // MARK: - Comparisons

    mutating func rewrite(_ comparison: FetchPredicate.Comparison) -> Node {
        var comparison = comparison
        do throws(FetchPredicateError) {
            if let condition = try rules.condition(comparison) { return condition }
            try rules.checkLists(comparison)
            try rules.checkPriority(comparison)
            let (left, right) = (comparison.left, comparison.right)
            comparison.left = try rules.seconds(of: left, beside: right)
            comparison.right = try rules.seconds(of: right, beside: left)
        } catch {
            fail(error)
        }
        if let condition = AlarmConditions.condition(comparison) { return condition }
        var copy = comparison
        copy.left = operand(comparison.left, beside: comparison.right)
        copy.right = operand(comparison.right, beside: comparison.left)
        guard comparison.quantifier == .single, comparison.options.isEmpty else { return .comparison(copy) }
        do throws(APIError) {
            if Self.isDate(copy.left), let condition = try condition(copy.left, copy.comparator, copy.right) {
                return condition
            }
            if Self.isDate(copy.right), let comparator = copy.comparator.turned,
                let condition = try condition(copy.right, comparator, copy.left)
            {
                return condition
            }
        } catch {
            fail(error)
        }
        return .comparison(copy)
    }

    /// Returns a rewritten operand. A category means its name or, compared with a number, its ID.
    private mutating func operand(_ expression: Expression, beside other: Expression) -> Expression {
        if case .path(let path) = expression, case .object = path.root, path.keys == ["category"],
            other.isNumber
        {
            return expression
        }
        return rewrite(expression)
    }

    private static func isDate(_ expression: Expression) -> Bool {
        guard case .path(let path) = expression, case .object = path.root else { return false }
        return dates.contains(path.keys)
    }

    /// Returns the condition for a date that is compared with typed times, or `nil` if there are none.
    private func condition(
        _ date: Expression, _ comparator: FetchPredicate.Comparator, _ other: Expression
    ) throws(APIError) -> Node? {
        switch (comparator, other) {
        case (.between, .list(let bounds)) where bounds.count == 2 && bounds.contains { $0.text != nil }:
            return .and([
                try condition(date, .greaterOrEqual, bounds[0]) ?? .compare(date, .greaterOrEqual, bounds[0]),
                try condition(date, .lessOrEqual, bounds[1]) ?? .compare(date, .lessOrEqual, bounds[1]),
            ])
        case (.in, .list(let elements)) where elements.contains { $0.text != nil }:
            var nodes: [Node] = []
            // No list contains nil.
            for element in elements where !element.isNull {
                nodes.append(try condition(date, .equal, element) ?? .compare(date, .equal, element))
            }
            return .or(nodes)
        default:
            guard case .constant(let constant) = other, let text = other.text else { return nil }
            return condition(date, comparator, try bound(text), constant.origin)
        }
    }

    private func condition(
        _ date: Expression, _ comparator: FetchPredicate.Comparator, _ bound: FilterBound,
        _ origin: FetchPredicate.Origin
    ) -> Node? {
        let start = bound.moment.expression(at: origin)
        let end = bound.endOfDay?.expression(at: origin)
        switch comparator {
        case .less, .greaterOrEqual: return .compare(date, comparator, start)
        case .lessOrEqual:
            return end.map { .compare(date, .less, $0) } ?? .compare(date, comparator, start)
        case .greater:
            return end.map { .compare(date, .greaterOrEqual, $0) } ?? .compare(date, comparator, start)
        case .equal:
            guard let end else { return .compare(date, comparator, start) }
            return .and([.compare(date, .greaterOrEqual, start), .compare(date, .less, end)])
        case .notEqual:
            guard let end else { return .compare(date, comparator, start) }
            return .or([.compare(date, .less, start), .compare(date, .greaterOrEqual, end)])
        case .between, .in, .beginsWith, .contains, .containsWords, .endsWith, .like, .matches: return nil
        }
    }
}

extension Timestamp {
    /// Returns the time as a constant at the place of the typed text. It is bound in SQL.
    fileprivate func expression(at origin: FetchPredicate.Origin) -> FetchPredicate.Expression {
        .constant(
            FetchPredicate.Constant(.date(self), origin: origin.offset.map { .argument(at: $0) } ?? .swift))
    }
}

extension FetchPredicate.Node {
    fileprivate static func compare(
        _ left: FetchPredicate.Expression, _ comparator: FetchPredicate.Comparator,
        _ right: FetchPredicate.Expression
    ) -> Self {
        .comparison(FetchPredicate.Comparison(left, comparator, right))
    }
}

extension FetchPredicate.Comparator {
    /// The comparator for exchanged sides, or `nil` if there is none.
    fileprivate var turned: Self? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .between, .in, .beginsWith, .contains, .containsWords, .endsWith, .like, .matches: nil
        }
    }
}

extension FetchPredicate.Expression {
    fileprivate var text: String? {
        if case .constant(let constant) = self, case .string(let text) = constant.value { text } else { nil }
    }

    fileprivate var isNull: Bool {
        if case .constant(let constant) = self { constant.value == .null } else { false }
    }

    /// Whether it is a number, or a list of numbers.
    fileprivate var isNumber: Bool {
        switch self {
        case .constant(let constant): if case .integer = constant.value { true } else { false }
        case .list(let elements): elements.allSatisfy(\.isNumber)
        default: false
        }
    }
}
