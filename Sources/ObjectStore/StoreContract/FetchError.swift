/// An error in a request, which prevents it from being performed.
public struct FetchError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case unknownEntity, unknownKey, unknownStore, unboundVariable, unsupported, several
    }

    public let code: Code
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
