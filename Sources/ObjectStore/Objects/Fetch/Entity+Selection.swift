extension Entity {
    /// Returns a predicate that selects objects of this entity in its table.
    ///
    /// - Throws: A ``FetchPredicateError`` if the predicate names a property that no object of this entity can have.
    func selecting(_ predicate: FetchPredicate) throws(FetchPredicateError) -> FetchPredicate {
        guard let inheritance, !inheritance.isWhole else { return predicate }
        try predicate.requireLimits()
        var check = PropertyCheck(entity: self, properties: inheritance.properties)
        _ = check.rewrite(predicate.root)
        if let error = check.error { throw error }
        let isOfEntity = FetchPredicate(
            .key(Inheritance.attribute), .in, .list(inheritance.names.map { .value(.string($0)) }))
        if predicate == .all { return isOfEntity }
        return FetchPredicate(.and([isOfEntity.root, predicate.root]))
    }
}

/// A search for keys that are properties of other entities of a hierarchy only.
private struct PropertyCheck: PredicateRewriter {
    let entity: Entity
    let properties: Set<String>
    private(set) var error: FetchPredicateError?

    init(entity: Entity, properties: Set<String>) {
        (self.entity, self.properties) = (entity, properties)
    }

    mutating func rewrite(_ path: FetchPredicate.Path) -> FetchPredicate.Path {
        if case .object = path.root, let key = path.keys.first, error == nil, key != "id",
            !properties.contains(key)
        {
            let nearest = NearestName.of(key, among: properties.sorted())
            error = FetchPredicateError(
                .unknownKey, at: path.origin.offset, found: "the unknown key \(key)",
                expected: "a property of \(entity.name)" + (nearest.map { ", perhaps \($0)" } ?? ""))
        }
        return path
    }
}
