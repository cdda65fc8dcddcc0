/// A check of the derived attributes of a model.
enum DerivationCheck {
    /// Returns the derived attributes of each entity, in an order in which each can use those before it.
    ///
    /// - Parameters:
    ///   - entities: The entities with a table.
    ///   - declared: The entities as they were declared.
    static func derivedAttributes(
        of entities: [Entity], declared: [EntityDescription]
    ) throws(ModelError) -> [[DerivedAttribute]] {
        for entity in declared {
            for attribute in entity.attributes where attribute.derivedFrom != nil {
                guard let complaint = complaint(about: attribute, of: entity, among: entities, declared)
                else { continue }
                throw ModelError(
                    .invalidDerivation, entity: entity.name, property: attribute.name,
                    message: "is derived, \(complaint)")
            }
        }
        var derived: [[DerivedAttribute]] = []
        for entity in entities { derived.append(try derivedAttributes(of: entity)) }
        return derived
    }

    private static func complaint(
        about attribute: AttributeDescription, of entity: EntityDescription, among entities: [Entity],
        _ declared: [EntityDescription]
    ) -> String? {
        if let rule = attribute.rules.first { return "so it cannot have the rule \(rule.name)" }
        if attribute.elementType != nil { return "so it cannot be a list" }
        if entity.uniqueness.contains(where: { $0.contains(attribute.name) }) {
            return "so it cannot be in a set of unique properties"
        }
        let isOrder = declared.contains { other in
            other.relationships.contains {
                $0.orderedBy == attribute.name && $0.destination == entity.name
            }
        }
        if isOrder { return "so it cannot keep the order of a relationship" }
        let isInHierarchy = entities.contains {
            $0.inheritance != nil && $0.description.attributes.contains { $0.derivedFrom != nil }
        }
        return isInHierarchy ? "which an entity in a hierarchy does not support" : nil
    }

    private static func derivedAttributes(of entity: Entity) throws(ModelError) -> [DerivedAttribute] {
        var waiting = entity.columns.indices.filter { entity.columns[$0].derivation != nil }
        guard !waiting.isEmpty else { return [] }
        // An entity without relationships and derivations has the same attributes at the same positions.
        let plain = try ManagedObjectModel(entities: [
            EntityDescription(
                entity.name,
                attributes: entity.description.attributes.map { attribute in
                    var plain = attribute
                    plain.derivedFrom = nil
                    return plain
                })
        ])
        var derivations:
            [Int: (inputs: [Int], value: @Sendable (Int64, RowValues) throws -> AttributeValue)] =
                [:]
        for column in waiting {
            guard case .attribute(let attribute) = entity.columns[column].content else { continue }
            derivations[column] = try attribute.derivation(in: plain)
        }
        var derived: [DerivedAttribute] = []
        while !waiting.isEmpty {
            let isReady = { (column: Int) in
                derivations[column]?.inputs.allSatisfy { !waiting.contains($0) } ?? true
            }
            guard let next = waiting.first(where: isReady), let derivation = derivations[next] else {
                throw ModelError(
                    .invalidDerivation, entity: entity.name, property: entity.columns[waiting[0]].name,
                    message: "is derived from itself, directly or through other attributes")
            }
            var triggers = ColumnSet.none
            triggers.insert(next)
            for input in derivation.inputs {
                triggers.insert(input)
                for other in derived where other.column == input { triggers.formUnion(other.triggers) }
            }
            derived.append(DerivedAttribute(column: next, triggers: triggers, value: derivation.value))
            waiting.removeAll { $0 == next }
        }
        return derived
    }
}
