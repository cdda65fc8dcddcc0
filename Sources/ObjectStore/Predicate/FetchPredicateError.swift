/// An error in the format of a predicate, or in the use of a predicate with an entity.
///
///     found the unknown key Bob; if it is text, put it in quotes (at offset 8, expected a property of ToDo)
public struct FetchPredicateError: Error, Hashable, Sendable {
    /// The kind of the error.
    public enum Code: Hashable, Sendable {
        /// A syntax error in the format.
        case syntax
        /// The number of arguments is wrong, or an argument does not match its placeholder.
        case argument
        /// The entity does not have this key.
        case unknownKey
        /// The operator does not accept operands of these types.
        case type
        /// A `$VARIABLE` has no value.
        case unboundVariable
        /// The predicate is too large or too deeply nested.
        case limit
        /// A regular expression is malformed or takes too long.
        case pattern
    }

    /// The kind of the error.
    public var code: Code
    /// The offset of the error in the format, in bytes of UTF-8, or `nil` if the predicate was built in Swift.
    public var offset: Int?
    /// The part of the predicate that is wrong.
    public var found: String
    /// The values that are possible in its place.
    public var expected: String
    /// Advice on correcting the predicate, or `nil`.
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
