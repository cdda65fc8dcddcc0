/// Something that a predicate can be asked about in memory: a managed object, or a row of your own store.
///
/// Its values stand in the order of its entity's columns, its collections in that of the entity's
/// to-many relationships.
public protocol PredicateSubject {
    /// The entity whose order the values and collections are in; nil if only the program knows it.
    ///
    /// A predicate refuses a subject of another entity than that for which it was compiled.
    var predicateEntity: Entity? { get }
    /// The id, by which objects of one entity are told apart.
    var predicateIdentity: Int64 { get }
    /// The value of an attribute, or the id in a to-one relationship.
    func predicateValue(at column: Int) -> AttributeValue
    /// The object at the other end of a to-one relationship; nil when there is none.
    func predicateTarget(at column: Int) throws -> (any PredicateSubject)?
    /// The objects at the other end of a to-many relationship, in any order.
    func predicateMembers(at position: Int) throws -> [any PredicateSubject]
}

extension PredicateSubject {
    public var predicateEntity: Entity? { nil }
}
