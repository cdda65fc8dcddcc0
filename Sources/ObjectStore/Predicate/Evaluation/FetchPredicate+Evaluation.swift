import CivilTime

extension FetchPredicate {
    /// Returns the predicate prepared for many objects of an entity. `now()` is the time of this call.
    ///
    /// - Throws: the first error in which the predicate does not match the entity, or a variable without a value. The
    ///   error has its offset in the format.
    public func compiled(
        for entity: Entity, in model: ManagedObjectModel
    ) throws(FetchPredicateError) -> CompiledPredicate {
        CompiledPredicate(try resolved(against: entity, in: model))
    }

    /// Returns whether the predicate is true for one object. To test many objects, compile the predicate first.
    public func matches(
        _ subject: some PredicateSubject, of entity: Entity, in model: ManagedObjectModel
    ) throws -> Bool {
        try compiled(for: entity, in: model).matches(subject)
    }
}
