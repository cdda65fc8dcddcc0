/// A predicate prepared for the evaluation of many objects of one entity.
///
/// It is a list of tests. Each test has the position of the next test for both of its results. These jumps replace
/// AND, OR and NOT. Most tests compare one column with one constant.
public struct CompiledPredicate: Sendable {
    /// One test and the positions of the next tests.
    ///
    /// It contains no references, so that reading it needs no reference counting. Tests with larger operands are in
    /// `others`.
    struct Instruction: Sendable {
        enum Kind: Sendable {
            case isNull, flag, integer, double, other
        }

        let kind: Kind
        var relation = ResolvedCondition.Relation.equal
        /// The column of the tested object or, for `other`, the position in `others`.
        let index: Int
        /// The bits of the number to compare the column with.
        var operand: UInt64 = 0
        var onTrue = CompiledPredicate.accept
        var onFalse = CompiledPredicate.reject
    }

    /// A test that does not fit into an `Instruction`.
    enum OtherTest: Sendable {
        case text(column: Int, ResolvedCondition.Relation, FoldedText, StringOptions)
        case member(ResolvedValue, Set<ComparisonKey>, StringOptions)
        case condition(ResolvedCondition)
    }

    /// The position that ends the evaluation with the result true.
    static let accept = -1
    /// The position that ends the evaluation with the result false.
    static let reject = -2

    private let entity: Entity
    private let instructions: [Instruction]
    private let others: [OtherTest]
    private let start: Int
    private let frameCount: Int

    package init(_ predicate: ResolvedPredicate) {
        entity = predicate.entity
        var compiler = PredicateCompiler()
        start = compiler.compile(predicate.condition, onTrue: Self.accept, onFalse: Self.reject)
        instructions = compiler.instructions
        others = compiler.others
        frameCount = predicate.frameCount
    }

    /// Returns whether the predicate is true for an object of its entity.
    ///
    /// - Throws: ``FetchPredicateError`` if the object is of another entity or model, or if a regular expression takes
    ///   too long. Errors from reading a relationship are passed on.
    public func matches(_ subject: some PredicateSubject) throws -> Bool {
        if let other = subject.predicateEntity, other !== entity { throw isOf(other) }
        var position = start
        while position >= 0 {
            let instruction = instructions[position]
            let holds =
                instruction.kind == .other
                ? try self.holds(others[instruction.index], subject)
                : Self.holds(instruction, subject.predicateValue(at: instruction.index))
            position = holds ? instruction.onTrue : instruction.onFalse
        }
        return position == Self.accept
    }

    private func isOf(_ other: Entity) -> FetchPredicateError {
        let model = other.name == entity.name ? " of another model" : ""
        return FetchPredicateError(
            .type, at: nil, found: "an object of \(other.name)\(model)",
            expected: "an object of \(entity.name), for which the predicate was compiled")
    }

    private static func holds(_ instruction: Instruction, _ value: AttributeValue) -> Bool {
        switch (instruction.kind, value) {
        case (.isNull, .null): true
        case (.flag, .boolean(let flag)): flag == (instruction.operand != 0)
        case (.integer, .integer(let number)):
            instruction.relation.holds(number, Int64(bitPattern: instruction.operand))
        case (.double, .date(let moment)):
            instruction.relation.holds(moment.secondsSince1970, Double(bitPattern: instruction.operand))
        case (.double, .double(let number)):
            !number.isNaN && instruction.relation.holds(number, Double(bitPattern: instruction.operand))
        default: false
        }
    }

    private func holds(_ test: OtherTest, _ subject: some PredicateSubject) throws -> Bool {
        switch test {
        case .text(let column, let relation, let constant, let options):
            let key = ComparisonKey(subject.predicateValue(at: column), options)
            return relation.holds(key, .text(constant))
        case .member(let operand, let members, let options):
            var evaluator = PredicateEvaluator(subject, frameCount: frameCount)
            return try evaluator.key(operand, options).map(members.contains) ?? false
        case .condition(let condition):
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
