// Attributes that are derived from related objects, after changes that are made without objects.

extension ManagedObjectContext {
    /// Returns the columns that change together with columns that are set without creating the objects, or `nil` if no
    /// derived attribute follows from them.
    func affectingColumns(_ columns: [Int], of entity: Entity) -> ColumnSet? {
        guard let related else { return nil }
        var changed = ColumnSet.none
        for column in columns {
            changed.insert(column)
            if let order = orderColumn(ofTargetIn: column, of: entity) { changed.insert(order) }
        }
        for derived in model.derivedAttributes[entity.index] where derived.triggers.intersects(changed) {
            changed.insert(derived.column)
        }
        return related.derivations.isAffected(by: changed, of: entity) ? changed : nil
    }

    /// Records the owners that a change of objects without creating them affects. Call it before and after the change.
    ///
    /// - Parameter columns: The changed columns, or `nil` if the objects are deleted.
    func recordOwners(
        affectedBy ids: [Int64], of entity: Entity, changing columns: ColumnSet?, at place: AddedStore,
        _ affected: inout AffectedOwners
    ) throws {
        guard let derivations = related?.derivations, !ids.isEmpty else { return }
        let here = AffectedOwners.Place(store: place.position, entity: entity.index)
        if let columns, derivations.entities[entity.index]?.triggers.intersects(columns) == true {
            affected.insert(ids, at: here)
        }
        for (position, effect) in derivations.effects[entity.index].enumerated() {
            let isChanged = columns.map { $0.intersects(effect.columns) }
            guard case .target(let column) = effect.path else {
                if isChanged == true { affected.search(from: ids, by: .init(place: here, effect: position)) }
                continue
            }
            guard isChanged ?? true || columns?.contains(column) == true else { continue }
            let owners = AffectedOwners.Place(store: place.position, entity: effect.entity)
            for batch in ids.batches(of: RelatedValues.objectsAtOnce) {
                let query = StoreQuery(
                    request: StoreRequest(entity: model.stored(entity), predicate: .ids(batch)),
                    columns: [.key(entity.columns[column].name)], isDistinct: true)
                try place.store.forEachRow(query) { row in
                    if let id = row.value(at: 0).id { affected.insert(id, at: owners) }
                }
            }
        }
    }

    /// Records the owners that a deletion affects, before it happens.
    func recordOwners(
        affectedByDeletionOf request: StoreRequest, at place: AddedStore, _ affected: inout AffectedOwners
    ) throws {
        guard let derivations = related?.derivations else { return }
        let isTarget = { (effect: RelatedDerivations.Effect) in
            if case .target = effect.path { true } else { false }
        }
        let reached = model.reachedByCascade(from: request.entity)
        guard reached.contains(where: { derivations.effects[$0].contains(where: isTarget) }) else { return }
        for (index, ids) in try BulkChanges(model: model, store: place.store).doomed(by: request) {
            try recordOwners(
                affectedBy: ids.sorted(), of: model.entities[index], changing: nil, at: place, &affected)
        }
    }

    /// Records the owners of objects that lost a reference to a deleted object, or a pair with one.
    func recordOwners(
        affectedBy deletion: StoreDeletion, at place: AddedStore, _ affected: inout AffectedOwners
    ) throws {
        guard related != nil else { return }
        for (index, ids) in deletion.updated {
            let entity = model.entities[index]
            var columns = ColumnSet.none
            for column in entity.firstToOne..<entity.columns.count { columns.insert(column) }
            try recordOwners(affectedBy: ids, of: entity, changing: columns, at: place, &affected)
        }
        for (index, ids) in deletion.unlinked where related?.derivations.entities[index] != nil {
            affected.insert(Array(ids), at: .init(store: place.position, entity: index))
        }
    }

    /// Computes and writes the attributes of owners that were recorded.
    ///
    /// - Returns: The owners that got other values, with the names of the attributes.
    func derive(_ affected: AffectedOwners) throws -> [ChangedProperties] {
        var changed: [[Int]: [Int: [Int64]]] = [:]
        var failures: [ValidationError.Failure] = []
        try derive(affected) { entity, _, object, attributes, found in
            failures += found
            guard !attributes.isEmpty else { return }
            changed[attributes.map(\.column), default: [:]][entity.index, default: []].append(object.id)
        }
        guard failures.isEmpty else { throw ValidationError(failures) }
        return changed.flatMap { columns, entities in
            entities.map { index, ids in
                ChangedProperties(
                    entity: index, names: names(Set(columns), of: model.entities[index]), ids: ids)
            }
        }
    }

    /// Computes all attributes that are derived from related objects, and saves them.
    func deriveAllRelatedValues() throws {
        guard related != nil else { return }
        for place in coordinator.places {
            try coordinator.openTransaction(for: self, at: place.position)
            for entity in model.entities {
                let values = RelatedValues(of: entity, in: model, from: place.store)
                try values?.forEachBatchOfIDs { ids in
                    var affected = AffectedOwners()
                    affected.insert(ids, at: .init(store: place.position, entity: entity.index))
                    _ = try derive(affected)
                }
            }
        }
        _ = try coordinator.commitTransactions(of: self)
    }
}

extension ManagedObjectModel {
    /// Returns the positions of the entities whose objects a deletion of objects of an entity can delete.
    fileprivate func reachedByCascade(from entity: Entity) -> Set<Int> {
        var reached: Set<Int> = [entity.index]
        var waiting = [entity.index]
        while let index = waiting.popLast() {
            for relationship in entities[index].relationships
            where relationship.description.deleteRule == .cascade
                && reached.insert(relationship.destinationIndex).inserted
            {
                waiting.append(relationship.destinationIndex)
            }
        }
        return reached
    }
}
