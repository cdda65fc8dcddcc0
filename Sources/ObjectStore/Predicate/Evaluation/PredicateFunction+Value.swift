import Glibc

extension FetchPredicate.Function {
    /// Returns the value of the function, or `.null` if an operand is nil or the result is undefined.
    ///
    /// `PredicateChecker` has checked the number and the types of the operands. It has also replaced `now` and the
    /// functions that are arithmetic operators. The evaluation in memory and SQLite both call this function.
    func value(of operands: [AttributeValue]) -> AttributeValue {
        switch (operands.first, operands.count) {
        case (.string(let text)?, _), (.uri(let text)?, _): return value(of: text)
        case (.integer(let number)?, 1): return value(of: number)
        case (.boolean(let flag)?, 1): return value(of: Int64(flag ? 1 : 0))
        case (.double(let number)?, 1): return value(of: number)
        case (let first?, 2):
            guard let left = first.wholeNumber, let right = operands[1].wholeNumber else { return .null }
            return value(of: left, right)
        default: return .null
        }
    }

    private func value(of text: String) -> AttributeValue {
        switch self {
        case .uppercase: .string(text.uppercased())
        case .lowercase: .string(text.lowercased())
        // The number of `?` that LIKE needs to match the text.
        case .length: .integer(Int64(text.normalized.unicodeScalars.count))
        default: .null
        }
    }

    private func value(of number: Int64) -> AttributeValue {
        switch self {
        case .absolute: number < 0 ? PredicateArithmetic.negate(.integer(number)) : .integer(number)
        case .ceiling, .floor, .truncate: .integer(number)
        case .onesComplement: .integer(~number)
        default: value(of: Double(number))
        }
    }

    private func value(of number: Double) -> AttributeValue {
        switch self {
        case .absolute: PredicateArithmetic.number(abs(number))
        case .ceiling: PredicateArithmetic.number(number.rounded(.up))
        case .floor: PredicateArithmetic.number(number.rounded(.down))
        case .truncate: PredicateArithmetic.number(number.rounded(.towardZero))
        case .squareRoot: PredicateArithmetic.number(number.squareRoot())
        case .exponential: PredicateArithmetic.number(exp(number))
        case .naturalLogarithm: PredicateArithmetic.number(log(number))
        case .logarithm: PredicateArithmetic.number(log10(number))
        default: .null
        }
    }

    private func value(of left: Int64, _ right: Int64) -> AttributeValue {
        switch self {
        // The remainder has the sign of the left operand. It is 0 for -1, where `%` can overflow.
        case .modulus: right == 0 ? .null : .integer(right == -1 ? 0 : left % right)
        case .bitwiseAnd: .integer(left & right)
        case .bitwiseOr: .integer(left | right)
        case .bitwiseXor: .integer(left ^ right)
        case .leftShift: .integer(left << right)
        case .rightShift: .integer(left >> right)
        default: .null
        }
    }
}

extension AttributeValue {
    fileprivate var wholeNumber: Int64? {
        switch self {
        case .integer(let number): number
        case .boolean(let flag): flag ? 1 : 0
        default: nil
        }
    }
}
