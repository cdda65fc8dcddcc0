/// An operator between two values, and its precedence.
///
/// From the lowest precedence: `|`, `^`, `&`, then `<<` and `>>`, then `+` and `-`, then `*`, `/` and `%%`.
/// Comparisons have a lower precedence than all of them.
struct PredicateBinaryOperator {
    let level: Int
    private let meaning: Meaning

    private enum Meaning {
        case arithmetic(FetchPredicate.ArithmeticOperator)
        case function(FetchPredicate.Function)
    }

    init?(_ token: PredicateToken.Kind) {
        guard case .symbol(let symbol) = token else { return nil }
        switch symbol {
        case .bitOr: (level, meaning) = (0, .function(.bitwiseOr))
        case .bitXor: (level, meaning) = (1, .function(.bitwiseXor))
        case .bitAnd: (level, meaning) = (2, .function(.bitwiseAnd))
        case .shiftLeft: (level, meaning) = (3, .function(.leftShift))
        case .shiftRight: (level, meaning) = (3, .function(.rightShift))
        case .plus: (level, meaning) = (4, .arithmetic(.add))
        case .minus: (level, meaning) = (4, .arithmetic(.subtract))
        case .times: (level, meaning) = (5, .arithmetic(.multiply))
        case .divide: (level, meaning) = (5, .arithmetic(.divide))
        case .percent: (level, meaning) = (5, .function(.modulus))
        default: return nil
        }
    }

    func expression(
        _ left: FetchPredicate.Expression, _ right: FetchPredicate.Expression
    ) -> FetchPredicate.Expression {
        switch meaning {
        case .arithmetic(let sign): .arithmetic(sign, left, right)
        case .function(let function): .function(function, [left, right])
        }
    }
}
