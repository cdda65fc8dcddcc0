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
    /// - Throws: ``FetchPredicateError`` if the predicate does not match the entity of the object, or a ``PropertyError`` if
    ///   its context was released. Errors from reading a relationship are passed on.
    public func matches(_ object: ManagedObject) throws -> Bool {
        guard let context = object.context else { throw object.contextIsGone("read", property: "SELF") }
        let predicate = context.coordinator.places.count > 1 ? inStore(object.home.storeIdentifier) : self
        return try predicate.matches(object, of: object.storedEntity, in: context.model)
    }
}

extension ManagedObject: PredicateArgument {
    public final var predicateExpression: FetchPredicate.Expression {
        .object(id, of: entity.name, in: home.storeIdentifier)
    }
}

extension RelatedObjects: PredicateArgument {
    /// The list of the IDs of the current objects.
    public var predicateExpression: FetchPredicate.Expression {
        let entity = owner.entity.toMany[position].description.destination
        let store = owner.home.storeIdentifier
        return .list(ids.map { .object($0, of: entity, in: store) })
    }
}
