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
            !properties.contains(key), let key = unknownName(at: path.keys)
        {
            let nearest = NearestName.of(key, among: properties.sorted())
            error = FetchPredicateError(
                .unknownKey, at: path.origin.offset, found: "the unknown key \(key)",
                expected: "a property of \(entity.name)" + (nearest.map { ", perhaps \($0)" } ?? ""))
        }
        return path
    }

    /// Returns the name at the beginning of a path, with the keys of composite attributes before it, or `nil` if it is known.
    private func unknownName(at keys: [String]) -> String? {
        var name = ""
        for key in keys {
            name += name.isEmpty ? key : "." + key
            if properties.contains(name) { return nil }
            guard properties.contains(where: { $0.hasPrefix(name + ".") }) else { return name }
        }
        return nil
    }
}
