extension TableChange {
    /// Throws an obstacle if a derived attribute has to be computed for the present objects.
    static func requireDerivedValuesStay(
        _ part: ResolvedMapping.EntityPart, from source: Entity, _ mapping: ResolvedMapping,
        _ kept: [Int: String]
    ) throws {
        guard let destination = part.destination else { return }
        let model = mapping.model.destination
        let related = model.relatedDerivations?.entities[destination.index]
        let triggers = model.derivedAttributes[destination.index].map { ($0.column, $0.triggers) }
        let own = triggers + (related?.attributes.map { ($0.column, related?.triggers ?? .none) } ?? [])
        for (position, triggers) in own {
            let name = destination.columns[position].name
            let former = kept.first { $0.value == name }.flatMap {
                mapping.model.source.derivationText(of: $0.key, in: source)
            }
            guard former == model.derivationText(of: position, in: destination),
                destination.columns.indices.allSatisfy({ column in
                    !triggers.contains(column)
                        || isKept(column, part, from: source, kept, isDerived: column == position)
                })
            else { throw obstacle(destination, position) }
        }
        guard let related else { return }
        for column in related.targets {
            let relationship = destination.toOne(at: column)
            let columns = related.attributes.flatMap { $0.derivation.targets[column] ?? [] }
            try requireStays(relationship, columns, of: part, mapping)
        }
        for (position, columns) in related.members {
            try requireStays(destination.toMany[position], columns ?? [], of: part, mapping)
        }
    }

    /// Whether a column keeps its name and its values. An input that got another name may have exchanged it with another
    /// column.
    private static func isKept(
        _ position: Int, _ part: ResolvedMapping.EntityPart, from source: Entity, _ kept: [Int: String],
        isDerived: Bool = false
    ) -> Bool {
        guard let destination = part.destination else { return false }
        let column = destination.columns[position]
        return kept.contains { from, to in
            to == column.name && (source.columns[from].name == column.name || isDerived)
                && source.columns[from].type == column.type
        } && part.attributes.allSatisfy { $0.column != position || $0.whenNil.isNull }
    }

    /// Throws an obstacle unless a relationship leads to the same objects, and these keep their values in some columns.
    private static func requireStays(
        _ relationship: Entity.Relationship, _ columns: [Int], of part: ResolvedMapping.EntityPart,
        _ mapping: ResolvedMapping
    ) throws {
        let target = mapping.model.destination.destination(of: relationship)
        let parts = mapping.parts(to: target).filter { $0.source != nil }
        // Only one end of a relationship needs a mapping.
        let inverse = target.relationship(at: relationship.inverse)
        guard parts.count == 1, let source = parts[0].source,
            keeps(relationship, part) || inverse.map({ keeps($0, parts[0]) }) == true
        else {
            throw SQLMigration.Obstacle(
                "values that are derived along \(relationship.name) are computed for each object")
        }
        let kept = try keptColumns(of: parts[0], from: source, to: target, mapping: mapping)
        for column in columns where !isKept(column, parts[0], from: source, kept) {
            throw obstacle(target, column)
        }
    }

    private static func keeps(
        _ relationship: Entity.Relationship, _ part: ResolvedMapping.EntityPart
    ) -> Bool {
        part.relationships.contains {
            $0.destination.name == relationship.name && $0.source.name == relationship.name
                && $0.source.description.isToMany == relationship.description.isToMany
        }
    }

    private static func obstacle(_ entity: Entity, _ column: Int) -> SQLMigration.Obstacle {
        SQLMigration.Obstacle("\(entity.name).\(entity.columns[column].name) is computed for each object")
    }
}

extension ManagedObjectModel {
    /// Returns the expression of a derived attribute and the value that replaces nil, or `nil` for every other column.
    fileprivate func derivationText(of column: Int, in entity: Entity) -> String? {
        derivedAttributes[entity.index].first { $0.column == column }?.text
            ?? relatedDerivations?.entities[entity.index]?.attributes.first { $0.column == column }?.text
    }
}
