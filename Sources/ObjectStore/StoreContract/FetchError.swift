/// An error in a request, which prevents it from being performed.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public enum Code: String, Hashable, Sendable {
        /// The model has no such entity.
        case unknownEntity
        /// The entity has no such property.
        case unknownKey
        /// The coordinator has no store with this identifier.
        case unknownStore
        /// A variable of the predicate has no value.
        case unboundVariable
        /// The request has no meaning, such as the sum of a text.
        case unsupported
        /// Several objects match, where one was expected.
        case several
    }

    /// The kind of the error.
    public let code: Code
    /// The problem and the remedy.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
