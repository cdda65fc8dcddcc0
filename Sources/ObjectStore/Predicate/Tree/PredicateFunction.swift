extension FetchPredicate {
    /// A function of the language. The raw value is its name in a format.
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
