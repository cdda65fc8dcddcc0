/// A word, number, string or sign of a format.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A name that is no keyword, or follows a `#`.
        case identifier(String)
        case keyword(PredicateKeyword)
        /// `$name`, without the sign.
        case variable(String)
        /// `@name`, without the sign.
        case collectionOperator(String)
        case string(String)
        /// The digits' value; a minus sign before it is a token of its own.
        case integer(UInt64)
        case double(Double)
        case symbol(PredicateSymbol)
        /// `%@`, `%K`, `%d` and so on.
        case substitution(PredicateSubstitution)
        case end
    }

    var kind: Kind
    /// Where it stands in the UTF-8 of the format.
    var range: Range<Int>
}

/// The signs of the language.
enum PredicateSymbol: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case and = "&&"
    case or = "||"
    case not = "!"
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divide = "/"
    case power = "**"
    case percent = "%%"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    case bitNot = "~"
    case shiftLeft = "<<"
    case shiftRight = ">>"
    case openParenthesis = "("
    case closeParenthesis = ")"
    case openBrace = "{"
    case closeBrace = "}"
    case openBracket = "["
    case closeBracket = "]"
    case comma = ","
    case dot = "."
}

/// What stands in the place of an argument.
enum PredicateSubstitution: Equatable {
    /// `%@`
    case value
    /// `%K`
    case keyPath
    /// `%d`, `%lu`, `%x`
    case integer
    /// `%f`, `%lg`
    case double
}
