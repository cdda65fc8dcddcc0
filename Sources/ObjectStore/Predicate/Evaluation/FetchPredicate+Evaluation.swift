import CivilTime

extension FetchPredicate {
    /// The predicate made ready for many objects of an entity. `now()` means the moment of this call.
    ///
    /// - Throws: what does not fit the entity, or a variable without a value, with its place.
    public func compiled(
        for entity: Entity, in model: ManagedObjectModel
    ) throws(FetchPredicateError) -> CompiledPredicate {
        CompiledPredicate(try resolved(against: entity, in: model))
    }

    /// Whether the predicate holds for one object. For many, compile it first.
    public func matches(
        _ subject: some PredicateSubject, of entity: Entity, in model: ManagedObjectModel
    ) throws -> Bool {
        try compiled(for: entity, in: model).matches(subject)
    }
}
