/// An error with everything that the model does not allow in the objects of one save.
///
/// It contains objects, properties and rules, but no values, because these may be private.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A rule that a value breaks.
    public enum Rule: String, Hashable, Sendable {
        case required, length, range, pattern, unique
        /// The value is not of the attribute's type, or does not fit into it.
        case type
        /// A check by `ManagedObject.validate`.
        case custom
    }

    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        public let entity: String
        /// The ID of the object, or `nil` if the value is for many objects.
        public let id: Int64?
        public let property: String
        public let rule: Rule
        /// The problem, without the value.
        public let detail: String

        /// `ToDo 12.name: required: there is no value`
        public var description: String {
            "\(entity)\(id.map { " \($0)" } ?? "").\(property): \(rule.rawValue): \(detail)"
        }
    }

    public let failures: [Failure]

    init(_ failures: [Failure]) {
        self.failures = failures
    }

    public var description: String {
        failures.map(\.description).joined(separator: "; ")
    }
}
