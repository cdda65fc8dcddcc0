/// What happens to the objects at the other end when an object is deleted.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
    /// They lose their reference to it.
    case nullify
    /// They are deleted too.
    case cascade
    /// As long as there are any, the object cannot be deleted.
    case deny
    /// Nothing: the program keeps the references right itself. A store with foreign keys refuses to
    /// save a reference to an object that is gone.
    case noAction
}

/// One relationship of an entity, seen from its side. Every relationship has an inverse at the other end.
public struct RelationshipDescription: Hashable, Sendable {
    public var name: String
    /// The entity at the other end.
    public var destination: String
    /// The relationship of that entity which leads back.
    public var inverse: String
    public var isToMany: Bool
    /// Whether a to-one relationship may be nil when it is saved.
    public var isOptional: Bool
    public var deleteRule: DeleteRule
    /// The name that the relationship had in the version before, when it was renamed.
    public var renamedFrom: String?

    public static func toOne(
        _ name: String, destination: String, inverse: String, deleteRule: DeleteRule = .nullify,
        optional: Bool = true, renamedFrom: String? = nil
    ) -> Self {
        Self(
            name: name, destination: destination, inverse: inverse, isToMany: false, isOptional: optional,
            deleteRule: deleteRule, renamedFrom: renamedFrom)
    }

    public static func toMany(
        _ name: String, destination: String, inverse: String, deleteRule: DeleteRule = .nullify,
        renamedFrom: String? = nil
    ) -> Self {
        Self(
            name: name, destination: destination, inverse: inverse, isToMany: true, isOptional: true,
            deleteRule: deleteRule, renamedFrom: renamedFrom)
    }
}
