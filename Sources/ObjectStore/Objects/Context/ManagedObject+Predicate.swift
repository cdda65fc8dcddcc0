extension ManagedObject: PredicateSubject {
    public final var predicateEntity: Entity? { storedEntity }

    public final var predicateIdentity: Int64 { id }

    public final func predicateValue(at column: Int) -> AttributeValue {
        values[column]
    }

    public final func predicateTarget(at column: Int) throws -> (any PredicateSubject)? {
        try context?.target(of: self, column: column)
    }

    public final func predicateMembers(at position: Int) throws -> [any PredicateSubject] {
        try context?.members(of: self, position: position) ?? []
    }
}

extension FetchPredicate {
    /// Returns whether the predicate is true for the current values of an object, including unsaved changes.
    ///
    /// The result is false if the object has no context.
    ///
    /// - Throws: ``FetchPredicateError`` if the predicate does not match the entity of the object. Errors from reading
    ///   a relationship are passed on.
    public func matches(_ object: ManagedObject) throws -> Bool {
        guard let model = object.context?.model else { return false }
        return try matches(object, of: object.storedEntity, in: model)
    }
}

extension ManagedObject: PredicateArgument {
    public final var predicateExpression: FetchPredicate.Expression { .object(id, of: entity.name) }
}

extension RelatedObjects: PredicateArgument {
    /// The list of the IDs of the current objects.
    public var predicateExpression: FetchPredicate.Expression {
        let entity = owner.entity.toMany[position].description.destination
        return .list(ids.map { .object($0, of: entity) })
    }
}
