import CivilTime
import Glibc

/// Arithmetic as SQL does it, so that both executions come to the same number.
///
/// Integers stay integers, and their division drops the rest; what does not fit in 64 bits goes on as a
/// double. Dividing by zero gives nil, and so does anything that is no number. Nil in, nil out.
enum PredicateArithmetic {
    /// A number as arithmetic sees it; a boolean is 0 or 1, a date its seconds.
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
        // Seconds move a date; between two dates there are seconds.
        if isDate(left) != isDate(right), case .double(let seconds) = result {
            return .date(Timestamp(secondsSince1970: seconds))
        }
        return result
    }

    static func negate(_ value: AttributeValue) -> AttributeValue {
        apply(.subtract, .integer(0), value)
    }

    /// A double as a value; what is no number is nil.
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
