extension FetchPredicate {
    /// A function of the language. The raw value is its name in a format.
    public enum Function: String, Hashable, Sendable, CaseIterable {
        /// The sum of two numbers.
        case add = "add:to:"
        /// The difference of two numbers.
        case subtract = "from:subtract:"
        /// The product of two numbers.
        case multiply = "multiply:by:"
        /// The quotient of two numbers.
        case divide = "divide:by:"
        /// The remainder of a division of integers.
        case modulus = "modulus:by:"
        /// A number to the power of another.
        case raise = "raise:toPower:"
        /// The square root.
        case squareRoot = "sqrt"
        /// The power of Euler's number.
        case exponential = "exp"
        /// The natural logarithm.
        case naturalLogarithm = "ln"
        /// The logarithm to the base 10.
        case logarithm = "log"
        /// The absolute value.
        case absolute = "abs"
        /// The smallest integer that is not less than the number.
        case ceiling
        /// The largest integer that is not greater than the number.
        case floor
        /// The number without its fraction.
        case truncate = "trunc"
        /// The bits that both integers have.
        case bitwiseAnd = "bitwiseAnd:with:"
        /// The bits that one of two integers has.
        case bitwiseOr = "bitwiseOr:with:"
        /// The bits that exactly one of two integers has.
        case bitwiseXor = "bitwiseXor:with:"
        /// The integer with its bits moved to the left.
        case leftShift = "leftshift:by:"
        /// The integer with its bits moved to the right.
        case rightShift = "rightshift:by:"
        /// The integer with all bits inverted.
        case onesComplement
        /// The text in upper case.
        case uppercase
        /// The text in lower case.
        case lowercase
        /// The number of Unicode scalars of a text, in the form NFC.
        case length
        /// The current time.
        case now

        /// Creates the function with this name, ignoring case and a colon at the end. Returns `nil` if there is none.
        init?(named name: String) {
            guard let function = Self.byName[Self.plain(name)] else { return nil }
            self = function
        }

        var operandCount: Int {
            if self == .now { return 0 }
            let colons = rawValue.utf8.count { $0 == UInt8(ascii: ":") }
            return max(1, colons)
        }

        private static let byName = Dictionary(
            uniqueKeysWithValues: allCases.map { (plain($0.rawValue), $0) })

        private static func plain(_ name: String) -> String {
            let letters = name.lowercased()
            return letters.last == ":" ? String(letters.dropLast()) : letters
        }
    }
}

extension FetchPredicate.CollectionOperator {
    /// Creates the operation of an aggregate that is written as a function: `count(toDos)`, `average(toDos.priority)`.
    init?(functionNamed name: String) {
        switch name.lowercased() {
        case "count", "count:": self = .count
        case "sum", "sum:": self = .sum
        case "average", "average:", "avg", "avg:": self = .avg
        case "min", "min:": self = .min
        case "max", "max:": self = .max
        default: return nil
        }
    }
}
