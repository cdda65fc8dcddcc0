/// Lays the tests of a condition out in a list, the last one first, so that each knows where the next
/// ones stand.
struct PredicateCompiler {
    private(set) var instructions: [CompiledPredicate.Instruction] = []

    /// Appends a condition and gives the position where it begins.
    mutating func compile(_ condition: ResolvedCondition, onTrue: Int, onFalse: Int) -> Int {
        switch condition {
        case .and(let conditions):
            conditions.reversed().reduce(onTrue) { next, condition in
                compile(condition, onTrue: next, onFalse: onFalse)
            }
        case .or(let conditions):
            conditions.reversed().reduce(onFalse) { next, condition in
                compile(condition, onTrue: onTrue, onFalse: next)
            }
        case .not(let condition): compile(condition, onTrue: onFalse, onFalse: onTrue)
        default: append(CompiledPredicate.Test(condition), onTrue: onTrue, onFalse: onFalse)
        }
    }

    private mutating func append(_ test: CompiledPredicate.Test, onTrue: Int, onFalse: Int) -> Int {
        instructions.append(CompiledPredicate.Instruction(test: test, onTrue: onTrue, onFalse: onFalse))
        return instructions.count - 1
    }
}

extension CompiledPredicate.Test {
    init(_ condition: ResolvedCondition) {
        switch condition {
        case .constant(let holds):
            self = .constant(holds)
        case .isNull(.column(let path, let column)) where path.isSubject:
            self = .isNull(column: column)
        case .compare(.column(let path, let column), let relation, .constant(let constant, _), let options)
        where path.isSubject:
            self = Self.test(path.entity, column, relation, constant, options) ?? .other(condition)
        case .compare(.constant(let constant, _), let relation, .column(let path, let column), let options)
        where path.isSubject:
            self = Self.test(path.entity, column, relation.mirrored, constant, options) ?? .other(condition)
        case .member(let operand, let members, let options):
            self = Self.keys(of: members, options).map { .member(operand, $0, options) } ?? .other(condition)
        default:
            self = .other(condition)
        }
    }

    private static func test(
        _ entity: Entity, _ column: Int, _ relation: ResolvedCondition.Relation, _ constant: AttributeValue,
        _ options: FetchPredicate.StringOptions
    ) -> CompiledPredicate.Test? {
        switch (entity.columns[column].type, constant) {
        case (.boolean, .boolean(let flag)) where relation == .equal: .flag(column: column, flag)
        case (.boolean, .boolean(let flag)) where relation == .notEqual: .flag(column: column, !flag)
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
            (.integer64, .integer(let number)):
            .integer(column: column, relation, number)
        case (.double, .double(let number)): .double(column: column, relation, number)
        case (.date, .date(let moment)): .double(column: column, relation, moment.secondsSince1970)
        case (.string, .string(let text)): .text(column: column, relation, FoldedText(text, options), options)
        default: nil
        }
    }

    /// The members as one set, when all of them are constants.
    private static func keys(
        of members: [ResolvedValue], _ options: FetchPredicate.StringOptions
    ) -> Set<ComparisonKey>? {
        var keys: Set<ComparisonKey> = []
        for member in members {
            guard case .constant(let constant, _) = member, let key = ComparisonKey(constant, options) else {
                return nil
            }
            keys.insert(key)
        }
        return keys
    }
}

extension ResolvedPath {
    /// Whether it is the object itself that the predicate is asked of.
    fileprivate var isSubject: Bool { frame == 0 && hops.isEmpty }
}
