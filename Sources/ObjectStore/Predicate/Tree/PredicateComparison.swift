extension FetchPredicate {
    /// Two expressions and the operator between them: `ANY toDos.name BEGINSWITH[cd] "pay"`.
    public struct Comparison: Hashable, Sendable {
        public var left: Expression
        public var comparator: Comparator
        public var right: Expression
        /// How the elements count when the left side is a collection.
        public var quantifier: Quantifier
        /// What the operator overlooks when it compares strings.
        public var options: StringOptions
        package var origin: Origin

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

    /// The operator of a comparison. Each has one meaning; the format has several spellings for some.
    public enum Comparator: Hashable, Sendable, CaseIterable {
        /// `=`, `==`
        case equal
        /// `!=`, `<>`
        case notEqual
        case less
        /// `<=`, `=<`
        case lessOrEqual
        case greater
        /// `>=`, `=>`
        case greaterOrEqual
        /// The right side is a list of two bounds, both included.
        case between
        /// The right side is a list or a collection, or a string of which the left side is a part.
        case `in`
        case beginsWith
        case contains
        case endsWith
        /// The whole string, `*` for any characters and `?` for one.
        case like
        /// The whole string against a regular expression.
        case matches
    }

    /// Which elements of a collection a comparison has to hold for.
    public enum Quantifier: Hashable, Sendable, CaseIterable {
        /// There is no collection: one value on each side.
        case single
        /// At least one element: `ANY`, `SOME`. False for an empty collection.
        case any
        /// Every element: `ALL`. True for an empty collection.
        case all
        /// No element: `NONE`. True for an empty collection.
        case none
    }

    /// What a comparison of strings overlooks: nothing, unless it says so.
    public struct StringOptions: OptionSet, Hashable, Sendable {
        public var rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// `[c]`: upper and lower case are the same.
        public static let caseInsensitive = StringOptions(rawValue: 1)
        /// `[d]`: accents and other marks do not count.
        public static let diacriticInsensitive = StringOptions(rawValue: 2)
    }
}
