/// An error in a model, with the entity and the property that it concerns.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public enum Code: String, Hashable, Sendable {
        /// Two entities have the same name.
        case duplicateEntity
        /// Two properties of an entity have the same name.
        case duplicateProperty
        /// A name has a character or a form that stores do not allow.
        case invalidName
        /// The destination of a relationship is not in the model.
        case unknownDestination
        /// The destination of a relationship lacks the inverse relationship.
        case missingInverse
        /// The parent of an entity is missing, or the entity does not fit it.
        case invalidParent
        /// A relationship and its inverse do not name each other.
        case inverseMismatch
        /// The attribute that keeps the order of a relationship is missing or has another use.
        case invalidOrder
        /// A default does not fit the type or the rules of its attribute.
        case invalidDefault
        /// A rule does not fit its attribute.
        case invalidRule
        /// The expression of a derived attribute is not valid, or the attribute has a use that a derived one cannot have.
        case invalidDerivation
        /// A composite attribute has no parts, or a part that it cannot have.
        case invalidComposite
        /// An index names a property that it cannot have, or its condition does not fit the entity.
        case invalidIndex
        /// A property of a class does not fit its entity.
        case classMismatch
        /// Two models declare an entity differently.
        case mergeConflict
        /// A configuration names an entity that is not in the model.
        case unknownEntity
    }

    /// The kind of the error.
    public let code: Code
    /// The name of the entity.
    public let entity: String
    /// The name of the property, or `nil` if the error concerns the entity.
    public let property: String?
    /// The problem and the remedy.
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
