/// Everything that the model does not allow about the objects of one save.
///
/// It names objects, properties and rules, never the values: they may be private.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was broken.
    public enum Rule: String, Hashable, Sendable {
        case required, length, range, pattern, unique
        /// The value is not of the attribute's type, or does not fit into it.
        case type
        /// What `ManagedObject.validate` found.
        case custom
    }

    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        public let entity: String
        /// The object; nil when the value was meant for many.
        public let id: Int64?
        public let property: String
        public let rule: Rule
        /// What was found and what is allowed, without the value.
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
