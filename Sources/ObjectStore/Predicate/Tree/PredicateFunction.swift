extension FetchPredicate {
    /// A function of the language, under the name that the format gives it.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        case add = "add:to:"
        case subtract = "from:subtract:"
        case multiply = "multiply:by:"
        case divide = "divide:by:"
        case modulus = "modulus:by:"
        case raise = "raise:toPower:"
        case squareRoot = "sqrt"
        case exponential = "exp"
        case naturalLogarithm = "ln"
        case logarithm = "log"
        case absolute = "abs"
        case ceiling
        case floor
        case truncate = "trunc"
        case bitwiseAnd = "bitwiseAnd:with:"
        case bitwiseOr = "bitwiseOr:with:"
        case bitwiseXor = "bitwiseXor:with:"
        case leftShift = "leftshift:by:"
        case rightShift = "rightshift:by:"
        case onesComplement
        case uppercase
        case lowercase
        case length
        case now
    }
}
