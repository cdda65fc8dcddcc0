/// A table of the destination model with the table of the source model that its objects come from.
struct EntityMatch {
    let source: Entity
    let destination: Entity
    /// The names of the matched entities. In a hierarchy, several entities are in one table.
    var names: [(source: String, destination: String)]

    /// The condition for the source objects.
    var predicate: FetchPredicate {
        let claimed = Set(names.map(\.source))
        guard let inheritance = source.inheritance, !claimed.isSuperset(of: inheritance.names) else {
            return .all
        }
        return isOf(names.map(\.source)).map { FetchPredicate($0) } ?? .all
    }

    /// The mapping of the attribute with the name of an object's entity.
    var entityName: PropertyMapping {
        let attribute = Entity.Inheritance.attribute
        guard source.inheritance != nil else {
            return .constant(attribute, .string(names[0].destination))
        }
        let renamed = names.filter { $0.source != $0.destination }
        guard !renamed.isEmpty else { return .copy(attribute) }
        let expression = renamed.reduce(FetchPredicate.Expression.key(attribute)) { others, name in
            guard let condition = isOf([name.source]) else { return others }
            return .conditional(condition, .value(.string(name.destination)), others)
        }
        return .computed(attribute, expression)
    }

    /// Returns the condition for source objects of entities with these names, or `nil` if all of them are of one entity.
    func isOf(_ names: [String]) -> FetchPredicate.Node? {
        guard source.inheritance != nil else { return nil }
        return FetchPredicate(
            .key(Entity.Inheritance.attribute), .in, .list(names.map { .value(.string($0)) })
        ).root
    }
}
