import CivilTime

extension FetchPredicate {
    /// Checks that the entity has all keys of the predicate and that the types of the operands match.
    ///
    /// A variable without a value is not an error here.
    ///
    /// - Throws: the first error, with its offset in the format.
    public func check(against entity: Entity, in model: ManagedObjectModel) throws(FetchPredicateError) {
        _ = try PredicateChecker(model: model, now: .now, acceptsVariables: true).check(self, entity)
    }

    /// Returns the predicate resolved for an entity, ready to be evaluated or translated to SQL.
    package func resolved(
        against entity: Entity, in model: ManagedObjectModel, now: Timestamp? = nil
    ) throws(FetchPredicateError) -> ResolvedPredicate {
        try PredicateChecker(model: model, now: now ?? .now, acceptsVariables: false).check(self, entity)
    }
}
