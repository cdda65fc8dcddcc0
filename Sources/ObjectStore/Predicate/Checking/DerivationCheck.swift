/// A check of the derived attributes of a model.
struct DerivationCheck {
    /// A derived attribute with its resolved expression.
    private struct Resolved {
        let entity: EntityDescription
        let attribute: AttributeDescription
        let column: Int
        let entityNames: Set<String>?
        let derivation: Derivation
    }

    /// A model with the names of all properties.
    private let model: ManagedObjectModel
    /// The derived attributes of each table, in an order in which each can use those before it.
    private var resolved: [[Resolved]] = []
    /// The columns of each table that are derived from relationships, directly or through other attributes.
    private var related: [Set<Int>] = []

    /// Returns the derived attributes of each entity with a table, and those that are derived from relationships.
    ///
    /// - Parameter model: A model with all names, and without derived attributes.
    static func derivations(
        in model: ManagedObjectModel
    ) throws(ModelError) -> ([[DerivedAttribute]], RelatedDerivations?) {
        var check = DerivationCheck(model: model)
        for entity in model.descriptions {
            for attribute in entity.attributes where attribute.derivedFrom != nil {
                if let complaint = check.complaint(about: attribute, of: entity) {
                    throw check.refusal(of: attribute, of: entity, complaint)
                }
            }
        }
        for table in model.entities {
            let attributes = try check.resolve(table)
            var related: Set<Int> = []
            for attribute in attributes {
                let derivation = attribute.derivation
                if derivation.usesRelationships || !derivation.columns.isDisjoint(with: related) {
                    related.insert(attribute.column)
                }
            }
            check.resolved.append(attributes)
            check.related.append(related)
        }
        for table in model.entities { try check.requireOneStep(from: table) }
        let derived = model.entities.map { check.derivedEntity($0) }
        return (
            model.entities.map { check.derivedAttributes(of: $0) },
            derived.contains { $0 != nil } ? RelatedDerivations(derived, of: model.entities) : nil
        )
    }

    private init(model: ManagedObjectModel) { self.model = model }

    // MARK: - Checks

    private func refusal(
        of attribute: AttributeDescription, of entity: EntityDescription, _ complaint: String
    ) -> ModelError {
        ModelError(
            .invalidDerivation, entity: entity.name, property: attribute.name,
            message: "is derived, \(complaint)")
    }

    private func complaint(about attribute: AttributeDescription, of entity: EntityDescription) -> String? {
        if let rule = attribute.rules.first { return "so it cannot have the rule \(rule.name)" }
        if attribute.elementType != nil { return "so it cannot be a list" }
        let root = model.entity(named: entity.name)?.storedName
        let isUnique = model.descriptions.contains { other in
            model.entity(named: other.name)?.storedName == root
                && other.uniqueness.contains { $0.contains(attribute.name) }
        }
        if isUnique { return "so it cannot be in a set of unique properties" }
        let isOrder = model.descriptions.contains { other in
            other.relationships.contains {
                $0.orderedBy == attribute.name && model.entity(named: $0.destination)?.storedName == root
            }
        }
        return isOrder ? "so it cannot keep the order of a relationship" : nil
    }

    /// Throws if an expression uses an attribute of related objects that is derived from relationships itself.
    private func requireOneStep(from table: Entity) throws(ModelError) {
        for derived in resolved[table.index] where related[table.index].contains(derived.column) {
            let derivation = derived.derivation
            if !derived.attribute.isOptional, derived.attribute.defaultValue.isNull {
                throw refusal(
                    of: derived.attribute, of: derived.entity,
                    "and uses relationships, so a new object has no value at first; make it optional or give it a default"
                )
            }
            var uses = derivation.targets.map { (model.destination(of: table.toOne(at: $0.key)), $0.value) }
            uses += derivation.members.map { (model.destination(of: table.toMany[$0.key]), $0.value) }
            uses.append((table, derivation.columnsInAggregates))
            for (entity, columns) in uses {
                guard let column = columns.intersection(related[entity.index]).min() else { continue }
                throw refusal(
                    of: derived.attribute, of: derived.entity,
                    "but uses \(entity.name).\(entity.columns[column].name) of related objects or for each of them, which is "
                        + "derived from relationships itself; write out its expression, or store the value")
            }
        }
    }

    // MARK: - Resolving

    /// Returns the derived attributes of all entities in a table.
    private func resolve(_ table: Entity) throws(ModelError) -> [Resolved] {
        var waiting: [Resolved] = []
        for entity in model.descriptions {
            guard let member = model.entity(named: entity.name), member.index == table.index else { continue }
            for attribute in entity.attributes where attribute.derivedFrom != nil {
                guard let column = member.column(named: attribute.name) else { continue }
                let derivation = try attribute.derivation(of: member, in: model)
                // Entities that share the column declare it with the same expression.
                guard !waiting.contains(where: { $0.column == column }) else { continue }
                let members = model.members[table.index].filter { $0.property(named: attribute.name) != nil }
                waiting.append(
                    Resolved(
                        entity: entity, attribute: attribute, column: column,
                        entityNames: table.inheritance.map { _ in Set(members.map(\.name)) },
                        derivation: derivation
                    ))
            }
        }
        var ordered: [Resolved] = []
        while let first = waiting.first {
            let columns = Set(waiting.map(\.column))
            guard let next = waiting.firstIndex(where: { $0.derivation.columns.isDisjoint(with: columns) })
            else {
                throw refusal(
                    of: first.attribute, of: first.entity,
                    "but from itself, directly or through other attributes")
            }
            ordered.append(waiting.remove(at: next))
        }
        return ordered
    }

    /// Returns the columns of an object after whose change a value is computed again.
    private func triggers(of derived: Resolved, of table: Entity) -> ColumnSet {
        var columns = derived.derivation.columns.union([derived.column])
        for other in resolved[table.index].reversed() where columns.contains(other.column) {
            columns.formUnion(other.derivation.columns)
        }
        var triggers = ColumnSet.none
        for column in columns { triggers.insert(column) }
        return triggers
    }

    private func derivedAttributes(of table: Entity) -> [DerivedAttribute] {
        resolved[table.index].filter { !related[table.index].contains($0.column) }.map { derived in
            DerivedAttribute(
                column: derived.column, triggers: triggers(of: derived, of: table),
                text: derived.attribute.derivationText ?? "", entityNames: derived.entityNames,
                value: derived.derivation.value)
        }
    }

    private func derivedEntity(_ table: Entity) -> RelatedDerivations.DerivedEntity? {
        let attributes = resolved[table.index].filter { related[table.index].contains($0.column) }
        guard !attributes.isEmpty else { return nil }
        var targets: Set<Int> = []
        var members: [Int: (columns: Set<Int>, isRead: Bool)] = [:]
        var allTriggers = ColumnSet.none
        for attribute in attributes {
            let derivation = attribute.derivation
            targets.formUnion(derivation.targets.keys)
            for (position, columns) in derivation.members {
                members[position, default: ([], false)].columns.formUnion(columns)
                if derivation.membersToRead.contains(position) { members[position]?.isRead = true }
            }
            allTriggers.formUnion(triggers(of: attribute, of: table))
        }
        return RelatedDerivations.DerivedEntity(
            attributes: attributes.map {
                .init(
                    column: $0.column, text: $0.attribute.derivationText ?? "", entityNames: $0.entityNames,
                    derivation: $0.derivation)
            },
            columns: related[table.index], triggers: allTriggers, targets: targets.sorted(),
            members: members.sorted { $0.key < $1.key }.map {
                ($0.key, $0.value.isRead ? $0.value.columns.sorted() : nil)
            })
    }
}
