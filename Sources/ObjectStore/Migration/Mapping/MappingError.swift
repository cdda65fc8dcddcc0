/// An error that lists all reasons why one model cannot be mapped to another.
public struct MappingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One incompatibility between the models.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        /// The name of the entity in the destination model or, if it is removed, in the source model.
        public let entity: String
        /// The name of the property, or `nil` if the problem concerns the entity.
        public let property: String?
        /// The problem and how to solve it.
        public let reason: String

        init(entity: String, property: String? = nil, reason: String) {
            self.entity = entity
            self.property = property
            self.reason = reason
        }

        /// A text such as `ToDo.uid: is new and required but has no default; …`.
        public var description: String {
            "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason)"
        }
    }

    /// The version identifiers of the source model.
    public let source: [String]
    /// The version identifiers of the destination model.
    public let destination: [String]
    /// The problems, at least one.
    public let problems: [Problem]

    init(from source: ManagedObjectModel, to destination: ManagedObjectModel, problems: [Problem]) {
        self.source = source.versionIdentifiers
        self.destination = destination.versionIdentifiers
        self.problems = problems
    }

    public var description: String {
        "model \(ManagedObjectModel.name(of: source)) cannot be mapped to model "
            + "\(ManagedObjectModel.name(of: destination)): "
            + problems.map(\.description).joined(separator: "; ")
    }
}

extension ManagedObjectModel {
    /// Returns the name of a model with these identifiers, for messages.
    static func name(of identifiers: [String]) -> String {
        identifiers.isEmpty ? "without a name" : identifiers.joined(separator: "+")
    }

    /// The name of the model, for messages.
    var displayName: String { Self.name(of: versionIdentifiers) }
}
