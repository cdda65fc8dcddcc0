import CivilTime
import Glibc

/// Arithmetic with the same results in memory and in SQL.
///
/// The result for two integers is an integer, and division drops the remainder. A result that exceeds 64 bits
/// becomes a double. If an operand is nil, the result is nil. Division by zero and NaN also give nil.
enum PredicateArithmetic {
    /// An operand: a boolean is 0 or 1, and a date is the number of its seconds since 1970.
    private enum Number {
        case integer(Int64)
        case double(Double)

        init?(_ value: AttributeValue) {
            switch value {
            case .boolean(let flag): self = .integer(flag ? 1 : 0)
            case .integer(let number): self = .integer(number)
            case .double(let number): self = .double(number)
            case .date(let moment): self = .double(moment.secondsSince1970)
            default: return nil
            }
        }

        var double: Double {
            switch self {
            case .integer(let number): Double(number)
            case .double(let number): number
            }
        }
    }

    static func apply(
        _ sign: FetchPredicate.ArithmeticOperator, _ left: AttributeValue, _ right: AttributeValue
    ) -> AttributeValue {
        guard let first = Number(left), let second = Number(right) else { return .null }
        let result: AttributeValue
        if sign != .power, case .integer(let first) = first, case .integer(let second) = second {
            if sign == .divide && second == 0 { return .null }
            let (value, overflow) = integers(sign, first, second)
            result = overflow ? doubles(sign, Double(first), Double(second)) : .integer(value)
        } else {
            result = doubles(sign, first.double, second.double)
        }
        // A date plus or minus seconds is a date. The difference of two dates is in seconds.
        if isDate(left) != isDate(right), case .double(let seconds) = result {
            return .date(Timestamp(secondsSince1970: seconds))
        }
        return result
    }

    static func negate(_ value: AttributeValue) -> AttributeValue {
        apply(.subtract, .integer(0), value)
    }

    /// Returns the double as a value, or `.null` if it is NaN.
    static func number(_ value: Double) -> AttributeValue {
        value.isNaN ? .null : .double(value)
    }

    private static func isDate(_ value: AttributeValue) -> Bool {
        if case .date = value { true } else { false }
    }

    private static func integers(
        _ sign: FetchPredicate.ArithmeticOperator, _ left: Int64, _ right: Int64
    ) -> (Int64, overflow: Bool) {
        switch sign {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide, .power: left.dividedReportingOverflow(by: right)
        }
    }

    private static func doubles(
        _ sign: FetchPredicate.ArithmeticOperator, _ left: Double, _ right: Double
    ) -> AttributeValue {
        switch sign {
        case .add: number(left + right)
        case .subtract: number(left - right)
        case .multiply: number(left * right)
        case .divide: right == 0 ? .null : number(left / right)
        case .power: number(pow(left, right))
        }
    }
}
