extension ManagedObjectContext {
    /// Gives properties of many objects new values, without making the objects: one statement of the store.
    ///
    ///     try context.updateAll(FetchRequest<Book>(matching: old), setting: ["inPrint": false])
    ///
    /// It is a save of its own: what it changes is durable when it returns. Unsaved changes of the context
    /// stay unsaved, and the store does not see them. A to-one relationship is set by the id of its target.
    /// Values are validated; a property with a `unique` rule cannot be set this way.
    ///
    /// - Returns: how many objects the request matched.
    @discardableResult
    public func updateAll<Object: ManagedObject>(
        _ request: FetchRequest<Object>, setting values: [String: any AttributeValueConvertible]
    ) throws -> Int {
        let request = try storeRequest(request)
        let columns = try self.columns(values, of: request.entity)
        guard !columns.isEmpty else { return 0 }
        var ids: [Int64] = []
        try saveDirectly { store in
            ids = try store.update(request, set: columns)
            return (updated: [request.entity.index: ids], deleted: [:])
        }
        return ids.count
    }

    /// Deletes many objects without making them. The delete rules hold; a `deny` that stands against it
    /// leaves everything as it is.
    ///
    /// It is a save of its own, like `updateAll`.
    ///
    /// - Returns: how many objects are gone, those that a cascade reached included.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> Int {
        let request = try storeRequest(request)
        var count = 0
        try saveDirectly { store in
            let deletion = try store.delete(request)
            if let first = deletion.denials.first {
                throw DeleteDeniedError(object: first.object, denials: deletion.denials)
            }
            count = deletion.deleted.values.reduce(0) { $0 + $1.count }
            return (updated: deletion.updated, deleted: deletion.deleted)
        }
        return count
    }

    // MARK: - Inside

    private func columns(
        _ values: [String: any AttributeValueConvertible], of entity: Entity
    ) throws -> [Int: AttributeValue] {
        var columns: [Int: AttributeValue] = [:]
        var validation = Validation()
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let position = entity.column(named: name) else {
                throw FetchError(
                    .unknownKey, "\(entity.name) has no attribute or to-one relationship \(name)")
            }
            if entity.uniqueRules.contains(where: { $0.column == position }) {
                throw FetchError(.unsupported, "\(entity.name).\(name) is unique; set it object by object")
            }
            if case .toOne = entity.relationship(named: name)?.inverse {
                throw FetchError(
                    .unsupported, "\(entity.name).\(name) is one to one; set it object by object")
            }
            columns[position] = value.attributeValue
            validation.check(value.attributeValue, column: position, of: entity)
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
        return columns
    }

    private typealias ChangedIDs = (updated: [Int: [Int64]], deleted: [Int: [Int64]])

    /// Runs `body` as a save of its own, and brings the objects in memory up to date.
    private func saveDirectly(_ body: (any PersistentStore) throws -> ChangedIDs) throws {
        coordinator.abandonWriter()
        let store = try coordinator.openStore()
        try coordinator.openLevel()
        let changed: ChangedIDs
        do {
            changed = try body(store)
            if let reference = try store.danglingReference() {
                throw StoreError(.danglingReference, "\(reference) refers to an object that is not there")
            }
            try store.commit()
        } catch {
            store.rollback()
            coordinator.transactionFailed(error)
            throw error
        }
        try finishDirectSave(changed)
    }

    private func finishDirectSave(_ changed: ChangedIDs) throws {
        coordinator.history.countSave()
        ownSaves += 1
        voidings += 1
        var changes = SavedChanges()
        for entity in model.entities {
            let registry = registry(of: entity)
            for id in changed.updated[entity.index] ?? [] {
                coordinator.history.note(entity, id)
                changes.updated.append(ObjectID(entity: entity.name, id: id))
                if let known = registry.table[id] { try takeOver(known) }
            }
            for id in changed.deleted[entity.index] ?? [] {
                coordinator.history.note(entity, id)
                changes.deleted.append(ObjectID(entity: entity.name, id: id))
                if let known = registry.table[id] { detach(known) }
            }
        }
        let receipt = SaveReceipt(context: self, entries: [], pairs: [:], changes: changes)
        if let batch = coordinator.batch { batch.add(receipt) } else { receipt.announce() }
    }
}
