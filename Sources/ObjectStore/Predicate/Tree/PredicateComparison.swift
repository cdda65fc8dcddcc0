extension FetchPredicate {
    /// Two expressions and the operator between them: `ANY toDos.name BEGINSWITH[cd] "pay"`.
    public struct Comparison: Hashable, Sendable {
        /// The left operand.
        public var left: Expression
        /// The operator.
        public var comparator: Comparator
        /// The right operand.
        public var right: Expression
        /// The elements that have to satisfy the comparison if the left side is a collection.
        public var quantifier: Quantifier
        /// The differences between strings that the comparison ignores.
        public var options: StringOptions
        package var origin: Origin

        /// Creates a comparison.
        public init(
            _ left: Expression, _ comparator: Comparator, _ right: Expression,
            quantifier: Quantifier = .single, options: StringOptions = []
        ) {
            self.left = left
            self.comparator = comparator
            self.right = right
            self.quantifier = quantifier
            self.options = options
            self.origin = .swift
        }

        package init(
            _ left: Expression, _ comparator: Comparator, _ right: Expression,
            quantifier: Quantifier, options: StringOptions, origin: Origin
        ) {
            self.init(left, comparator, right, quantifier: quantifier, options: options)
            self.origin = origin
        }
    }

    /// The operator of a comparison. Some operators have several spellings in a format.
    public enum Comparator: Hashable, Sendable, CaseIterable {
        /// `=`, `==`
        case equal
        /// `!=`, `<>`
        case notEqual
        /// `<`
        case less
        /// `<=`, `=<`
        case lessOrEqual
        /// `>`
        case greater
        /// `>=`, `=>`
        case greaterOrEqual
        /// The right side is a list of two bounds, both inclusive.
        case between
        /// The right side is a list, a collection, or a string that contains the left side.
        case `in`
        /// The string on the left side begins with that on the right side: `BEGINSWITH`.
        case beginsWith
        /// The string or collection on the left side contains the right side: `CONTAINS`.
        case contains
        /// The string on the left side contains the words on the right side: `CONTAINS[search]`.
        case containsWords
        /// The string on the left side ends with that on the right side: `ENDSWITH`.
        case endsWith
        /// The pattern on the right side matches the whole string. `*` is any characters, and `?` is one character.
        case like
        /// The regular expression on the right side matches the whole string.
        case matches
    }

    /// The elements of a collection for which a comparison has to be true.
    public enum Quantifier: Hashable, Sendable, CaseIterable {
        /// No collection. There is one value on each side.
        case single
        /// At least one element: `ANY`, `SOME`. False for an empty collection.
        case any
        /// Every element: `ALL`. True for an empty collection.
        case all
        /// No element: `NONE`. True for an empty collection.
        case none
    }
}
