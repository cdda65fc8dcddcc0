// Attributes that are derived from related objects. They are computed in the open transaction, from the rows that it has
// after the changes were written, and written to the rows of their owners. An owner does not count as changed by the
// context, so it conflicts with no other change, and a later save computes the value again.

extension ManagedObjectContext {
    /// Records the owners of derived attributes that unwritten changes affect. Call it before the changes are written.
    func recordOwners(
        affectedBy objects: [ManagedObject], _ pairs: [(key: PairKey, isAdded: Bool)]
    ) throws {
        guard let related, !isMigrating else { return }
        for object in objects { try recordOwners(affectedBy: object, related) }
        for (key, _) in pairs {
            for (entity, isOwner) in related.derivations.linkSides[key.link] ?? [] {
                related.affected.insert(
                    isOwner ? key.ownerID : key.otherID, at: .init(store: key.store, entity: entity))
            }
        }
    }

    private func recordOwners(affectedBy object: ManagedObject, _ related: RelatedChanges) throws {
        let place = AffectedOwners.Place(store: object.storePosition, entity: object.entity.index)
        // A deletion that was undone inserts the row again.
        let isNew = object.state == .inserted || !object.hasRow
        if let derived = related.derivations.entities[place.entity], object.isAlive,
            isNew || object.changed.intersects(derived.triggers)
        {
            related.affected.insert(object.id, at: place)
        }
        if !object.isAlive { related.recordFailures([], of: .init(place: place, id: object.id)) }
        for (position, effect) in related.derivations.effects[place.entity].enumerated() {
            let isChanged = object.changed.intersects(effect.columns)
            guard case .target(let column) = effect.path else {
                // No object refers to one that was never written.
                if isChanged || (isNew ? object.hasRow || object.state == .saved : !object.isAlive) {
                    related.affected.search(from: [object.id], by: .init(place: place, effect: position))
                }
                continue
            }
            guard !object.isAlive || isNew || isChanged || object.changed.contains(column) else { continue }
            let owners = AffectedOwners.Place(store: place.store, entity: effect.entity)
            var targets = [object.values[column].id, object.savedValues?[column].id]
            if object.freshness != .current, object.isInStore {
                // Another context may have saved another target.
                let store = try coordinator.store(at: place.store)
                targets.append(try store.row(object.id, of: object.storedEntity)?[column].id)
            }
            related.recordTargets(
                targets.compactMap { $0.map { DerivedObjectKey(place: owners, id: $0) } }, of: object)
            for owner in related.formerTargets[object] ?? [] where owner.place == owners {
                related.affected.insert(owner.id, at: owners)
            }
        }
    }

    // MARK: - Values

    /// Computes and writes the attributes of affected owners, after the changes were written to the open transactions.
    ///
    /// - Parameter writer: The context for which the transactions are open: this one, or a descendant.
    func derive(_ affected: AffectedOwners, for writer: ManagedObjectContext) throws {
        guard let related else { return }
        // An owner that was deleted is not computed, and its earlier failure does not count any more.
        related.forgetFailures(of: affected)
        try derive(affected) { entity, place, object, changed, failures in
            let key = DerivedObjectKey(place: place, id: object.id)
            // The transactions of a descendant have its changes, too, which this context does not see.
            if writer === self {
                related.recordFailures(failures, of: key)
                if !changed.isEmpty { related.recordChange(of: Set(changed.map(\.column)), in: key) }
            }
            if !changed.isEmpty { writer.related?.recordUnsavedValues(of: key) }
            guard failures.isEmpty else { return }
            let values = object.values.map { ($0.attribute.column, $0.value) }
            writer.show(values, of: key.id, entity, at: place.store)
        }
    }

    /// Computes and writes the attributes of affected owners.
    ///
    /// - Parameter body: Called with each owner, the attributes with another value, and the reasons why values are not
    ///   allowed.
    func derive(
        _ affected: AffectedOwners,
        _ body: (
            Entity, AffectedOwners.Place, RelatedValues.Object, [RelatedDerivations.Value],
            [ValidationError.Failure]
        ) throws -> Void
    ) throws {
        var owners = affected.owners
        for (search, ids) in affected.searches { try find(from: ids.sorted(), by: search, &owners) }
        for (place, ids) in owners {
            let entity = model.entities[place.entity]
            let store = try coordinator.store(at: place.store)
            guard let values = RelatedValues(of: entity, in: model, from: store) else { continue }
            for batch in ids.sorted().batches(of: RelatedValues.objectsAtOnce) {
                var updates = RelatedUpdates(entity)
                for object in try values.objects(batch) {
                    let (changed, failures) = updates.append(object)
                    try body(entity, place, object, changed, failures)
                }
                if let updates = updates.storeUpdates { try store.apply(updates) }
            }
        }
    }

    /// Finds the owners that a relationship connects with changed objects.
    private func find(
        from ids: [Int64], by search: AffectedOwners.Search,
        _ owners: inout [AffectedOwners.Place: Set<Int64>]
    ) throws {
        guard let effect = related?.derivations.effects[search.place.entity][search.effect] else { return }
        let store = try coordinator.store(at: search.place.store)
        let place = AffectedOwners.Place(store: search.place.store, entity: effect.entity)
        let entity = model.entities[effect.entity]
        for batch in ids.batches(of: RelatedValues.objectsAtOnce) {
            switch effect.path {
            case .references(let column):
                let refers = FetchPredicate(
                    .key(entity.columns[column].name), .in, .list(batch.map { .value(.integer($0)) }))
                owners[place, default: []].formUnion(
                    try store.ids(StoreRequest(entity: entity, predicate: refers)))
            case .link(let link):
                try store.forEachPair(link, of: batch) { _, owner in owners[place, default: []].insert(owner)
                }
            case .target: break
            }
        }
    }

    /// Shows values that were written in the object in memory, if there is one. They do not count as changes.
    private func show(
        _ values: [(column: Int, value: AttributeValue)], of id: Int64, _ entity: Entity, at store: Int
    ) {
        guard let object = registry(of: entity, at: store).table[id], object.isAlive else { return }
        for (column, value) in values where object.values[column] != value {
            object.values[column] = value
            object.savedValues?[column] = value
            if !observers.isEmpty {
                observers.notify(.changed(object, property: object.entity.columns[column].name))
            }
        }
    }

    /// Gives objects in memory the derived values of the store again, after changes were discarded.
    func showStoredValues() {
        guard let related else { return }
        related.forgetWritten()
        guard !related.objectsToReadAgain.isEmpty else { return }
        coordinator.beginCall()
        defer { coordinator.endCall() }
        do {
            try enterStores()
            try replaceRolledBackValues()
        } catch {
            for key in related.takeObjectsToReadAgain() { known(key)?.freshness = .doubtful }
        }
    }

    /// Gives objects in memory the derived values of the store if they have those of a transaction that was rolled back.
    /// Call it before the changes are written again.
    func replaceRolledBackValues() throws {
        guard let related, !related.objectsToReadAgain.isEmpty else { return }
        for key in related.objectsToReadAgain {
            guard let object = known(key) else { continue }
            let store = try coordinator.store(at: key.place.store)
            if let row = try store.row(key.id, of: object.storedEntity) {
                takeRelatedValues(of: object, from: row)
            }
        }
        _ = related.takeObjectsToReadAgain()
    }

    private func known(_ key: DerivedObjectKey) -> ManagedObject? {
        let entity = model.entities[key.place.entity]
        let object = registry(of: entity, at: key.place.store).table[key.id]
        return object?.isInStore == true ? object : nil
    }

    /// Gives an object the values of a row that are derived from related objects.
    func takeRelatedValues(of object: ManagedObject, from row: RowValues) {
        for column in relatedColumns(of: object.entity) {
            object.values[column] = row[column]
            object.savedValues?[column] = row[column]
        }
    }

    /// Returns the columns that are derived from related objects. A change of them is no conflict.
    func relatedColumns(of entity: Entity) -> Set<Int> {
        related?.derivations.entities[entity.index]?.columns ?? []
    }

    func refuseInvalidRelatedValues() throws {
        guard let related, !related.failures.isEmpty else { return }
        let failures = related.failures.sorted { $0.key.id < $1.key.id }.flatMap(\.value)
        throw ValidationError(failures)
    }

    // MARK: - Saves

    /// Returns the names of the attributes of an object that were derived in the open transaction.
    func relatedNames(of object: ManagedObject) -> [String] {
        guard let related, !related.changedColumns.isEmpty else { return [] }
        let place = AffectedOwners.Place(store: object.storePosition, entity: object.entity.index)
        return names(
            related.changedColumns[.init(place: place, id: object.id)] ?? [], of: object.storedEntity)
    }

    func names(_ columns: Set<Int>, of entity: Entity) -> [String] {
        columns.sorted().map { entity.columns[$0].name }
    }

    /// Returns the owners with other derived values that have no change of their own, in the order of their entities and
    /// IDs.
    func derivedOwners(
        at store: Int, _ isRecorded: (ManagedObject) -> Bool
    ) -> [(entity: Entity, id: Int64, names: [String])] {
        guard let related, !related.changedColumns.isEmpty else { return [] }
        return related.changedColumns.filter { key, _ in
            guard key.place.store == store else { return false }
            let known = registry(of: model.entities[key.place.entity], at: store).table[key.id]
            return known.map { !isRecorded($0) } ?? true
        }.sorted { ($0.key.place.entity, $0.key.id) < ($1.key.place.entity, $1.key.id) }.map {
            key, columns in
            let entity = model.entities[key.place.entity]
            return (entity, key.id, names(columns, of: entity))
        }
    }
}

/// New values of derived attributes of objects of one entity, to be written together.
private struct RelatedUpdates {
    private let entity: Entity
    private var columns: [Int] = []
    private var ids: [Int64] = []
    private var values: [[Int: AttributeValue]] = []
    private var rows: [RowValues] = []

    init(_ entity: Entity) { self.entity = entity }

    /// Adds the values of an object that differ from its row and are allowed.
    ///
    /// - Returns: The attributes with these values, and the reasons why other values are not allowed.
    mutating func append(
        _ object: RelatedValues.Object
    ) -> (changed: [RelatedDerivations.Value], failures: [ValidationError.Failure]) {
        var changed: [RelatedDerivations.Value] = []
        var validation = Validation()
        var new: [Int: AttributeValue] = [:]
        for (attribute, value) in object.values where object.row[attribute.column] != value {
            let failures = validation.failures.count
            validation.check(value, column: attribute.column, of: entity, id: object.id)
            guard validation.failures.count == failures else { continue }
            changed.append(attribute)
            new[attribute.column] = value
            if !columns.contains(attribute.column) { columns.append(attribute.column) }
        }
        if !changed.isEmpty {
            ids.append(object.id)
            values.append(new)
            rows.append(object.row)
        }
        return (changed, validation.failures)
    }

    /// The updates, or `nil` if there are none.
    var storeUpdates: StoreUpdates? {
        guard !ids.isEmpty else { return nil }
        let all = zip(values, rows).flatMap { new, row in columns.map { new[$0] ?? row[$0] } }
        return StoreUpdates(of: entity, setting: columns, ids: ids, values: all)
    }
}
