extension ManagedObject: PredicateSubject {
    public final var predicateEntity: Entity? { entity }

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
    /// Whether the predicate holds for an object as it is now, unsaved changes included.
    ///
    /// - Throws: what does not fit the entity of the object, or what reading a relationship throws.
    public func matches(_ object: ManagedObject) throws -> Bool {
        guard let model = object.context?.model else { return false }
        return try matches(object, of: object.entity, in: model)
    }
}
