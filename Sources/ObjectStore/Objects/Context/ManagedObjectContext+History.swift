extension ManagedObjectContext {
    /// Returns the saved transactions that changed an object, each with the change of this object, in the order in which
    /// they were saved.
    ///
    /// A migration may change every object, so it is among them, without changes.
    ///
    /// - Parameters:
    ///   - object: The object. It may be deleted.
    ///   - token: The token of a transaction, after which the history is read, or `nil` for its beginning.
    ///   - limit: The maximum number of transactions, or `nil` for all.
    /// - Throws: A ``StoreError``. Its code is `historyLost` if the store does not have the token's transaction any more,
    ///   and `noHistory` if the store of the object has no history.
    public func history(
        of object: ManagedObject, after token: HistoryToken? = nil, limit: Int? = nil
    ) throws -> [HistoryTransaction] {
        try coordinator.history(
            after: token, matching: HistoryFilter(object: object.objectID), limit: limit)
    }

    /// Records the unsaved changes in the histories of the stores that have one. All changes must be written to the open
    /// transactions.
    func recordHistory() throws {
        for place in coordinator.places {
            guard let store = place.recorder else { continue }
            let record = historyRecord(of: place)
            if !record.entries.isEmpty { try store.record(record) }
        }
    }

    private func historyRecord(of place: AddedStore) -> HistoryRecord {
        var record = HistoryRecord(author: transactionAuthor, contextName: name)
        let links = changedLinks(at: place.position)
        // Most objects of a save have the same changes, so the names are kept for the next object.
        var last: (entity: Entity, columns: ColumnSet, names: [String])?
        for object in tracked where object.storePosition == place.position {
            let entity = object.storedEntity
            switch object.state {
            case .inserted: record.append(.inserted, object.id, of: entity)
            case .deleted:
                record.append(
                    .deleted, object.id, of: entity,
                    preserved: entity.preservedValues { (object.savedValues ?? object.values)[$0] })
            case .saved where object.isUpdated:
                let columns = changedColumns(of: object)
                var names: [String]
                if let last, last.entity === entity, last.columns == columns,
                    columns.namesEach(of: entity.columns.count)
                {
                    names = last.names
                } else {
                    names = changedNames(of: object)
                    last = (entity, columns, names)
                }
                if object.changedPairs > 0, let pairs = links[object.objectID] { names += pairs.sorted() }
                names += relatedNames(of: object)
                if !names.isEmpty { record.append(.updated, object.id, of: entity, properties: names) }
            case .saved, .detached: break
            }
        }
        for owner in derivedOwners(at: place.position, \.hasChanges) {
            record.append(.updated, owner.id, of: owner.entity, properties: owner.names)
        }
        return record
    }

    /// Returns the columns of an object that have another value than in the store.
    private func changedColumns(of object: ManagedObject) -> ColumnSet {
        guard let saved = object.savedValues else { return object.changed }
        var columns = ColumnSet.none
        for column in 0..<object.values.count
        where object.changed.contains(column) && object.values[column] != saved[column] {
            columns.insert(column)
        }
        return columns
    }

    private func changedNames(of object: ManagedObject) -> [String] {
        guard let saved = object.savedValues else { return [] }
        return object.entity.columns.enumerated().filter { object.values[$0.offset] != saved[$0.offset] }
            .map(\.element.name)
    }

    /// Returns the names of the many-to-many relationships with changed pairs, by object.
    private func changedLinks(at position: Int) -> [ObjectID: Set<String>] {
        var names: [ObjectID: Set<String>] = [:]
        for key in pairs.keys where key.store == position {
            let link = model.links[key.link]
            for (index, id, isOwner) in [
                (link.ownerIndex, key.ownerID, true), (link.otherIndex, key.otherID, false),
            ] {
                let entity = model.entities[index]
                let relationship = entity.toMany.first {
                    $0.link?.index == key.link && $0.link?.isOwner == isOwner
                }
                let object = registry(of: entity, at: position).objectID(id)
                if let relationship { names[object, default: []].insert(relationship.name) }
            }
        }
        return names
    }

    /// Records a save without objects in the history of a store that has one.
    func recordHistory(_ changed: ChangedIDs, at place: AddedStore) throws {
        guard let store = place.recorder else { return }
        var record = HistoryRecord(author: transactionAuthor, contextName: name)
        for entity in model.entities {
            for (id, names) in changed.propertyNames(of: entity) {
                record.append(.updated, id, of: entity, properties: names)
            }
        }
        for entity in model.entities {
            let preserved = changed.preserved[entity.index] ?? [:]
            for id in (changed.deleted[entity.index] ?? []).sorted() {
                record.append(.deleted, id, of: entity, preserved: preserved[id] ?? [:])
            }
        }
        if !record.entries.isEmpty { try store.record(record) }
    }
}

extension ManagedObjectContext.ChangedIDs {
    /// Returns the updated objects of an entity, sorted, and the names of their changed properties.
    fileprivate func propertyNames(of entity: Entity) -> [(id: Int64, names: [String])] {
        let lists = properties.filter { $0.entity == entity.index }
        if lists.count == 1 { return lists[0].ids.sorted().map { ($0, lists[0].names) } }
        var names: [Int64: [String]] = [:]
        for list in lists {
            for id in list.ids {
                names[id, default: []] += list.names.filter { !(names[id] ?? []).contains($0) }
            }
        }
        return names.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}
