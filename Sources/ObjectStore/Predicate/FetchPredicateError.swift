/// Why a predicate cannot be read, or cannot be asked of an entity.
///
///     found the unknown key Bob; quote text: "Bob" (at offset 8, expected a property of ToDo)
public struct FetchPredicateError: Error, Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        /// The text is not in the language.
        case syntax
        /// The arguments are too few, too many, or not what their place in the format asks for.
        case argument
        /// A name that the entity does not have.
        case unknownKey
        /// Operands that cannot be compared or computed with.
        case type
        /// A `$VARIABLE` without a value.
        case unboundVariable
        /// Nested deeper, or larger, than the library takes.
        case limit
        /// A regular expression that is malformed, or takes too long.
        case pattern
    }

    public var code: Code
    /// How many bytes of the format's UTF-8 stand before what was found; nil when the predicate was
    /// built in Swift.
    public var offset: Int?
    public var found: String
    public var expected: String
    /// What to do about it, where there is more to say than what was expected.
    public var hint: String?

    package init(_ code: Code, at offset: Int?, found: String, expected: String, hint: String? = nil) {
        self.code = code
        self.offset = offset
        self.found = found
        self.expected = expected
        self.hint = hint
    }
}

extension FetchPredicateError: CustomStringConvertible {
    public var description: String {
        let advice = hint.map { "; \($0)" } ?? ""
        let place = offset.map { "at offset \($0), " } ?? ""
        return "found \(found)\(advice) (\(place)expected \(expected))"
    }
}
