/// A word, number, string or symbol of a format.
struct PredicateToken: Equatable {
    enum Kind: Equatable {
        /// A name that is not a keyword, or that follows `#`.
        case identifier(String)
        case keyword(PredicateKeyword)
        /// `$name`, without the sign.
        case variable(String)
        /// `@name`, without the sign.
        case collectionOperator(String)
        case string(String)
        /// The value of the digits. A minus sign before them is a separate token.
        case integer(UInt64)
        case double(Double)
        case symbol(PredicateSymbol)
        /// `%@`, `%K`, `%d` and so on.
        case substitution(PredicateSubstitution)
        case end
    }

    var kind: Kind
    /// The position of the token in the UTF-8 of the format.
    var range: Range<Int>
}

/// The symbols of the language.
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

/// A placeholder for an argument.
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
