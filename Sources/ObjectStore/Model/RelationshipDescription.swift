/// The effect of deleting an object on the objects at the other end of a relationship.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    /// Their references to the deleted object are removed.
    case nullify
    /// They are deleted, too.
    case cascade
    /// The object cannot be deleted while the relationship has any objects.
    case deny
    /// Nothing changes, and the program has to update the references.
    ///
    /// A store with foreign keys does not save a reference to a deleted object.
    case noAction
}

/// One side of a relationship. Every relationship has an inverse on the other side.
public struct RelationshipDescription: Hashable, Sendable {
    /// The name of the relationship.
    public var name: String
    /// The name of the entity at the other end.
    public var destination: String
    /// The name of the relationship in that entity that leads back.
    public var inverse: String
    /// Whether the relationship leads to any number of objects.
    public var isToMany: Bool
    /// Whether an object can be saved without a value for this to-one relationship.
    public var isOptional: Bool
    /// The effect of a deletion on the objects at the other end.
    public var deleteRule: DeleteRule
    /// The name of the relationship in the previous model version, or `nil` if it was not renamed.
    public var renamedFrom: String?
    /// The name of the attribute of the destination that keeps the order of the objects of a to-many relationship, or
    /// `nil` if they have the order of their IDs.
    ///
    /// The attribute is an optional `integer64` that the relationship sets. The inverse is to-one. An object whose
    /// attribute is nil comes after all others.
    public var orderedBy: String?
    /// Whether the relationship leads to the value of an external attribute.
    var holdsValue = false

    /// Creates a relationship to at most one object.
    public static func toOne(
        _ name: String, destination: String, inverse: String, deleteRule: DeleteRule = .nullify,
        optional: Bool = true, renamedFrom: String? = nil
    ) -> Self {
        Self(
            name: name, destination: destination, inverse: inverse, isToMany: false, isOptional: optional,
            deleteRule: deleteRule, renamedFrom: renamedFrom)
    }

    /// Creates a relationship to any number of objects.
    public static func toMany(
        _ name: String, destination: String, inverse: String, orderedBy: String? = nil,
        deleteRule: DeleteRule = .nullify, renamedFrom: String? = nil
    ) -> Self {
        Self(
            name: name, destination: destination, inverse: inverse, isToMany: true, isOptional: true,
            deleteRule: deleteRule, renamedFrom: renamedFrom, orderedBy: orderedBy)
    }
}
