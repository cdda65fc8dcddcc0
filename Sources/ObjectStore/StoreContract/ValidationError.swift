/// An error with everything that the model does not allow in the objects of one save.
///
/// It contains objects, properties and rules, but no values, because these may be private.
public struct ValidationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A rule that a value breaks.
    public enum Rule: String, Hashable, Sendable {
        /// There is no value.
        case required
        /// The value is too short or too long.
        case length
        /// The value is too small or too large.
        case range
        /// The text does not match the regular expression.
        case pattern
        /// Another object has the same value.
        case unique
        /// The value is not of the attribute's type, or does not fit into it.
        case type
        /// A check by `ManagedObject.validate`.
        case custom
    }

    /// A value that breaks a rule.
    public struct Failure: Hashable, Sendable, CustomStringConvertible {
        /// The name of the entity.
        public let entity: String
        /// The ID of the object, or `nil` if the value is for many objects.
        public let id: Int64?
        /// The name of the property.
        public let property: String
        /// The rule.
        public let rule: Rule
        /// The problem, without the value.
        public let detail: String

        /// `ToDo 12.name: required: there is no value`
        public var description: String {
            "\(entity)\(id.map { " \($0)" } ?? "").\(property): \(rule.rawValue): \(detail)"
        }
    }

    /// The failures, at least one.
    public let failures: [Failure]

    package init(_ failures: [Failure]) {
        self.failures = failures
    }

    public var description: String {
        failures.map(\.description).joined(separator: "; ")
    }
}

extension ValidationError.Failure {
    /// The failure of an unknown object that has the same values as another one in columns that are unique.
    package init(of entity: Entity, notUnique columns: [Int]) {
        self.init(
            entity: entity.name, id: nil,
            property: columns.map { entity.columns[$0].name }.joined(separator: ", "),
            rule: .unique, detail: "another object has the same value\(columns.count > 1 ? "s" : "")")
    }

    /// The failure of an object that has the same values as another one in columns that are unique together.
    package init(of entity: Entity, id: Int64, notUnique columns: [Int], other: ObjectID) {
        self.init(
            entity: entity.name, id: id,
            property: columns.map { entity.columns[$0].name }.joined(separator: ", "), rule: .unique,
            detail: "\(other) has the same value\(columns.count > 1 ? "s" : "")")
    }
}
