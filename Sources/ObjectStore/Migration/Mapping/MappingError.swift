/// Why one model cannot be mapped to another: everything that stands against it.
public struct MappingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One thing that does not go together.
    public struct Problem: Hashable, Sendable, CustomStringConvertible {
        public let entity: String
        public let property: String?
        /// What is wrong, and what to do about it.
        public let reason: String

        init(_ entity: String, _ property: String? = nil, _ reason: String) {
            self.entity = entity
            self.property = property
            self.reason = reason
        }

        /// `ToDo.uid: is new and required but has no default; …`
        public var description: String {
            "\(entity)\(property.map { ".\($0)" } ?? ""): \(reason)"
        }
    }

    /// The version identifiers of the two models.
    public let source: [String]
    public let destination: [String]
    public let problems: [Problem]

    init(_ source: ManagedObjectModel, _ destination: ManagedObjectModel, _ problems: [Problem]) {
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
    /// What people call a model with these identifiers.
    static func name(of identifiers: [String]) -> String {
        identifiers.isEmpty ? "without a name" : identifiers.joined(separator: "+")
    }

    /// What people call the model.
    var displayName: String { Self.name(of: versionIdentifiers) }
}
