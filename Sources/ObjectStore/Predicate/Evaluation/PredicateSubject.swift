/// An object that can be tested by a predicate in memory: a managed object, or a row of a custom store.
///
/// Its values have the order of the entity's columns. Its collections have the order of the entity's to-many
/// relationships.
public protocol PredicateSubject {
    /// The entity that defines the order of the values and collections, or `nil` if only the program knows it.
    ///
    /// Testing a subject throws if its entity is not the one for which the predicate was compiled.
    var predicateEntity: Entity? { get }
    /// The ID, which is unique among the objects of the entity.
    var predicateIdentity: Int64 { get }
    /// Returns the value of an attribute, or the ID in a to-one relationship.
    func predicateValue(at column: Int) -> AttributeValue
    /// Returns the object at the other end of a to-one relationship, or `nil` if there is none.
    func predicateTarget(at column: Int) throws -> (any PredicateSubject)?
    /// Returns the objects at the other end of a to-many relationship, in any order.
    func predicateMembers(at position: Int) throws -> [any PredicateSubject]
}

extension PredicateSubject {
    public var predicateEntity: Entity? { nil }
}
