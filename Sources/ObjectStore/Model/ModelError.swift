/// An error in a model, with the entity and the property that it concerns.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        case duplicateEntity, duplicateProperty, invalidName, unknownDestination, missingInverse,
            inverseMismatch
        case invalidDefault, invalidRule, invalidIndex, classMismatch, mergeConflict
        case unknownEntity
    }

    public let code: Code
    public let entity: String
    public let property: String?
    public let message: String

    init(_ code: Code, entity: String, property: String? = nil, message: String) {
        self.code = code
        self.entity = entity
        self.property = property
        self.message = message
    }

    /// The place of the error and the message, such as `ToDo.category: …`.
    public var description: String {
        "\(entity)\(property.map { ".\($0)" } ?? ""): \(message)"
    }
}
