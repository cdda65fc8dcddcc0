/// A predicate made ready to be asked of many objects of one entity, one after the other.
///
/// The words AND, OR and NOT are compiled away: what remains is a list of tests, each of which says
/// where to go on when it holds and when it does not. Most tests look at one column and one constant.
public struct CompiledPredicate: Sendable {
    /// One test, and the positions of the next ones.
    struct Instruction: Sendable {
        let test: Test
        var onTrue: Int
        var onFalse: Int
    }

    /// A condition that contains no other one. Those on one column of the object itself come first,
    /// because they are common and can be quick.
    enum Test: Sendable {
        case constant(Bool)
        case isNull(column: Int)
        case flag(column: Int, Bool)
        case integer(column: Int, ResolvedCondition.Relation, Int64)
        /// Of doubles and of dates.
        case double(column: Int, ResolvedCondition.Relation, Double)
        case text(column: Int, ResolvedCondition.Relation, FoldedText, FetchPredicate.StringOptions)
        case member(ResolvedValue, Set<ComparisonKey>, FetchPredicate.StringOptions)
        case other(ResolvedCondition)
    }

    /// The end of the list where the predicate holds, and where it does not.
    static let accept = -1
    static let reject = -2

    private let instructions: [Instruction]
    private let start: Int
    private let frameCount: Int

    package init(_ predicate: ResolvedPredicate) {
        var compiler = PredicateCompiler()
        start = compiler.compile(predicate.condition, onTrue: Self.accept, onFalse: Self.reject)
        instructions = compiler.instructions
        frameCount = predicate.frameCount
    }

    /// Whether the predicate holds for an object of its entity.
    ///
    /// - Throws: what reading a relationship throws, or a regular expression that takes too long.
    public func matches(_ subject: some PredicateSubject) throws -> Bool {
        var position = start
        while position >= 0 {
            let instruction = instructions[position]
            position = try holds(instruction.test, subject) ? instruction.onTrue : instruction.onFalse
        }
        return position == Self.accept
    }

    private func holds(_ test: Test, _ subject: some PredicateSubject) throws -> Bool {
        switch test {
        case .constant(let holds): return holds
        case .isNull(let column): return subject.predicateValue(at: column).isNull
        case .flag(let column, let flag):
            guard case .boolean(let value) = subject.predicateValue(at: column) else { return false }
            return value == flag
        case .integer(let column, let relation, let constant):
            guard case .integer(let value) = subject.predicateValue(at: column) else { return false }
            return relation.holds(value, constant)
        case .double(let column, let relation, let constant):
            switch subject.predicateValue(at: column) {
            case .double(let value): return !value.isNaN && relation.holds(value, constant)
            case .date(let value): return relation.holds(value.secondsSince1970, constant)
            default: return false
            }
        case .text(let column, let relation, let constant, let options):
            let key = ComparisonKey(subject.predicateValue(at: column), options)
            return relation.holds(key, .text(constant))
        case .member(let operand, let members, let options):
            var evaluator = PredicateEvaluator(subject, frameCount: frameCount)
            return try evaluator.key(operand, options).map(members.contains) ?? false
        case .other(let condition):
            var evaluator = PredicateEvaluator(subject, frameCount: frameCount)
            return try evaluator.holds(condition)
        }
    }
}

extension ResolvedCondition.Relation {
    fileprivate func holds<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}
