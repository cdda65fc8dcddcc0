/// A compiler that turns a condition into a list of tests.
///
/// The last test is appended first, so that each test knows the positions of the next ones.
struct PredicateCompiler {
    private(set) var instructions: [CompiledPredicate.Instruction] = []
    private(set) var others: [CompiledPredicate.OtherTest] = []

    /// Appends a condition and returns the position of its first test.
    mutating func compile(_ condition: ResolvedCondition, onTrue: Int, onFalse: Int) -> Int {
        switch condition {
        case .constant(let holds):
            return holds ? onTrue : onFalse
        case .and(let conditions):
            return conditions.reversed().reduce(onTrue) { next, condition in
                compile(condition, onTrue: next, onFalse: onFalse)
            }
        case .or(let conditions):
            return conditions.reversed().reduce(onFalse) { next, condition in
                compile(condition, onTrue: onTrue, onFalse: next)
            }
        case .not(let condition):
            return compile(condition, onTrue: onFalse, onFalse: onTrue)
        default:
            var instruction = CompiledPredicate.Instruction(condition) ?? other(condition)
            instruction.onTrue = onTrue
            instruction.onFalse = onFalse
            instructions.append(instruction)
            return instructions.count - 1
        }
    }

    private mutating func other(_ condition: ResolvedCondition) -> CompiledPredicate.Instruction {
        others.append(CompiledPredicate.OtherTest(condition))
        return CompiledPredicate.Instruction(kind: .other, index: others.count - 1)
    }
}

extension CompiledPredicate.Instruction {
    /// Creates a test of one column of the tested object, or `nil` if the condition has another form.
    init?(_ condition: ResolvedCondition) {
        switch condition {
        case .isNull(.column(let path, let column)) where path.isSubject:
            self.init(kind: .isNull, index: column)
        case .compare(.column(let path, let column), let relation, .constant(let constant, _), _)
        where path.isSubject:
            self.init(
                type: path.entity.columns[column].type, column: column, relation: relation, constant: constant
            )
        case .compare(.constant(let constant, _), let relation, .column(let path, let column), _)
        where path.isSubject:
            self.init(
                type: path.entity.columns[column].type, column: column, relation: relation.mirrored,
                constant: constant)
        default:
            return nil
        }
    }

    private init?(
        type: AttributeType, column: Int, relation: ResolvedCondition.Relation,
        constant: AttributeValue
    ) {
        switch (type, constant) {
        case (.boolean, .boolean(let flag)) where relation == .equal:
            self.init(kind: .flag, index: column, operand: flag ? 1 : 0)
        case (.boolean, .boolean(let flag)) where relation == .notEqual:
            self.init(kind: .flag, index: column, operand: flag ? 0 : 1)
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
            (.integer64, .integer(let number)):
            self.init(kind: .integer, relation: relation, index: column, operand: UInt64(bitPattern: number))
        case (.double, .double(let number)):
            self.init(kind: .double, relation: relation, index: column, operand: number.bitPattern)
        case (.date, .date(let moment)):
            self.init(
                kind: .double, relation: relation, index: column, operand: moment.secondsSince1970.bitPattern)
        default:
            return nil
        }
    }
}

extension CompiledPredicate.OtherTest {
    init(_ condition: ResolvedCondition) {
        switch condition {
        case .compare(
            .column(let path, let column), let relation, .constant(.string(let text), _), let options)
        where path.isSubject:
            self = .text(column: column, relation, FoldedText(text, options), options)
        case .compare(
            .constant(.string(let text), _), let relation, .column(let path, let column), let options)
        where path.isSubject:
            self = .text(column: column, relation.mirrored, FoldedText(text, options), options)
        case .member(let operand, let members, let options):
            self =
                Self.keys(of: members, options).map { .member(operand, $0, options) } ?? .condition(condition)
        default:
            self = .condition(condition)
        }
    }

    /// Returns the members as a set of keys, or `nil` if a member is nil or not a constant.
    private static func keys(
        of members: [ResolvedValue], _ options: StringOptions
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
    /// Whether the path is the tested object itself.
    fileprivate var isSubject: Bool { frame == 0 && hops.isEmpty }
}
