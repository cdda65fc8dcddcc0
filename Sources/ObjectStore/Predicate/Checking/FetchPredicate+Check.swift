import CivilTime

extension FetchPredicate {
    /// Says whether the objects of an entity can be asked: whether it has the keys, and the operands go
    /// together. A variable without a value is no fault here.
    ///
    /// - Throws: the first thing that does not fit, with its place in the format.
    public func check(against entity: Entity, in model: ManagedObjectModel) throws(FetchPredicateError) {
        _ = try PredicateChecker(model: model, now: .now, acceptsVariables: true).check(self, entity)
    }

    /// The predicate in the terms of an entity, ready to be carried out.
    package func resolved(
        against entity: Entity, in model: ManagedObjectModel, now: Timestamp? = nil
    ) throws(FetchPredicateError) -> ResolvedPredicate {
        try PredicateChecker(model: model, now: now ?? .now, acceptsVariables: false).check(self, entity)
    }
}
