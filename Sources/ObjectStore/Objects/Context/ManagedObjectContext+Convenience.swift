/// A way to combine several conditions.
public enum PredicateCombination: Hashable, Sendable {
    /// All conditions must be true.
    case and
    /// At least one condition must be true.
    case or
}

extension ManagedObjectContext {
    /// Returns all objects of the entity.
    public func objects<Object: ManagedObject>(
        of objectClass: Object.Type, orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        try fetch(FetchRequest<Object>(orderedBy: order))
    }

    /// Returns all objects that have the given value at a key path. The value may be `nil`, or an object that a
    /// relationship leads to.
    public func objects<Object: ManagedObject>(
        of objectClass: Object.Type, matching key: String, equals value: any PredicateArgument,
        orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        try fetch(FetchRequest<Object>(matching: .equality(key, value.predicateExpression), orderedBy: order))
    }

    /// Returns the only object that has the given value at a key path, or `nil` if there is none.
    ///
    /// - Throws: A `FetchError` if there are several.
    public func object<Object: ManagedObject>(
        of objectClass: Object.Type, matching key: String, equals value: any PredicateArgument
    ) throws -> Object? {
        let found = try fetch(
            FetchRequest<Object>(matching: .equality(key, value.predicateExpression), limit: 2))
        guard found.count < 2 else {
            throw FetchError(.several, "several objects of \(found[0].entity.name) have this value of \(key)")
        }
        return found.first
    }

    /// Returns all objects that have all of the given values (`and`) or at least one of them (`or`).
    public func objects<Object: ManagedObject>(
        of objectClass: Object.Type, matching values: KeyValuePairs<String, any PredicateArgument>,
        combinedWith combination: PredicateCombination, orderedBy order: [FetchOrder] = []
    ) throws -> [Object] {
        let conditions = values.map { FetchPredicate.equality($0.key, $0.value.predicateExpression).root }
        let predicate = FetchPredicate(combination == .and ? .and(conditions) : .or(conditions))
        return try fetch(FetchRequest<Object>(matching: predicate, orderedBy: order))
    }
}

extension FetchPredicate {
    fileprivate static func equality(_ key: String, _ value: Expression) -> FetchPredicate {
        FetchPredicate(.key(key), .equal, value)
    }
}
