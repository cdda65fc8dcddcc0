extension ManagedObjectContext {
    /// Puts all changes into the store, or none. When it returns they are durable; within a batch they are
    /// when the batch returns.
    ///
    /// It throws a `ValidationError` with everything that the model does not allow, a `ConflictError` when
    /// another context was faster, or a `StoreError`; then the store is as it was, and so is the context,
    /// with all its changes.
    public func save() throws {
        try refuseFailure()
        guard hasChanges else { return }
        if !observers.isEmpty {
            observers.tell(.willSave)
            try refuseFailure()
        }
        let unique = try validate()
        try refuseConflicts()
        try writeChanges()
        do {
            if checksUniqueness { try checkUniqueness(of: unique) }
            if let reference = try coordinator.openStore().danglingReference() {
                throw StoreError(
                    .danglingReference,
                    "\(reference) refers to an object that is not there; delete or change it first")
            }
            try coordinator.commitTransaction(of: self)
        } catch {
            coordinator.transactionFailed(error)
            throw error
        }
        finishSave()
    }

    /// Writes the changes that the open transaction does not have yet, so that the store's answers reflect
    /// them. Without such changes it makes sure that no other context's are seen.
    func writeChanges() throws {
        guard !unwrittenObjects.isEmpty || !unwrittenPairs.isEmpty else {
            coordinator.enter(self)
            return
        }
        try coordinator.openTransaction(for: self)
        var changes = StoreChanges()
        changes.rows.reserveCapacity(unwrittenObjects.count)
        for object in unwrittenObjects {
            object.isQueued = false
            let kind: StoreChanges.Row.Kind
            switch (object.isAlive, object.hasRow) {
            case (true, false): kind = .insert
            case (true, true) where !object.unwritten.isEmpty: kind = .update
            case (false, true): kind = .delete
            default: continue
            }
            changes.rows.append(
                .init(
                    kind: kind, entity: object.entity, id: object.id, values: object.values,
                    columns: object.unwritten))
            object.hasRow = object.isAlive
            object.unwritten = .none
        }
        changes.pairs = unwrittenPairs
        unwrittenObjects.removeAll(keepingCapacity: true)
        unwrittenPairs = []
        do {
            try coordinator.openStore().apply(changes)
        } catch {
            coordinator.transactionFailed(error)
            throw error
        }
    }

    /// The open transaction is gone: everything that is not saved has to be written again.
    func forgetWritten() {
        unwrittenObjects = []
        for object in tracked {
            object.hasRow = object.isInStore
            object.unwritten = object.changed
            object.isQueued = object.isInStore != object.isAlive || object.isUpdated
            if object.isQueued { unwrittenObjects.append(object) }
        }
        unwrittenPairs = pairs.map { key, isAdded in
            .init(link: key.link, ownerID: key.ownerID, otherID: key.otherID, isAdded: isAdded)
        }
    }

    // MARK: - Before

    private func refuseFailure() throws {
        guard let failure else { return }
        throw StoreError(
            .contextFailed, "an object could not be read; roll the context back and begin again",
            cause: failure)
    }

    /// - Returns: the objects that have unique rules, which only the store can check.
    private func validate() throws -> [ManagedObject] {
        var validation = Validation()
        var unique: [ManagedObject] = []
        for object in tracked where object.isAlive {
            validation.check(object)
            if !object.entity.uniqueRules.isEmpty { unique.append(object) }
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
        return unique
    }

    /// The unique rules, asked of the store when it has the changes: only the outcome counts, so two
    /// objects may swap their values.
    private func checkUniqueness(of objects: [ManagedObject]) throws {
        var validation = Validation()
        for object in objects {
            for rule in object.entity.uniqueRules {
                guard object.state == .inserted || object.changed.contains(rule.column) else { continue }
                try check(rule, of: object, &validation)
            }
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
    }

    private func check(
        _ rule: Entity.UniqueRule, of object: ManagedObject, _ validation: inout Validation
    ) throws {
        let value = object.values[rule.column]
        guard !value.isNull else { return }
        let name = object.entity.columns[rule.column].name
        let isSame = FetchPredicate(.key(name), .equal, .value(value), options: rule.options)
        let request = StoreRequest(entity: object.entity, predicate: isSame, limit: 2)
        guard let other = try coordinator.openStore().ids(request).first(where: { $0 != object.id }) else {
            return
        }
        validation.append(
            .init(
                entity: object.entity.name, id: object.id, property: name, rule: .unique,
                detail: "\(ObjectID(entity: object.entity.name, id: other)) has the same value"))
    }

    private func refuseConflicts() throws {
        let history = coordinator.history
        guard history.isWatching else { return }
        let late = tracked.filter { object in
            object.isInStore && object.hasChanges
                && history.changed(object.entity, object.id, since: object.readAt)
        }
        guard !late.isEmpty else { return }
        if conflictPolicy == .error { throw ConflictError(objects: late.map(\.objectID)) }
        try takeOver(late)
    }

    /// Mine wins: the properties that others changed are taken over, but for those that this context
    /// changed itself. An object that was deleted meanwhile cannot win.
    private func takeOver(_ late: [ManagedObject]) throws {
        coordinator.abandonWriter()
        var gone: [ObjectID] = []
        for object in late {
            if try takeOver(object) { continue }
            if object.isAlive { gone.append(object.objectID) } else { object.hasRow = false }
        }
        if !gone.isEmpty { throw ConflictError(objects: gone) }
    }

    /// Reads the properties again that were not changed here; false when the store has no such object.
    @discardableResult
    func takeOver(_ object: ManagedObject) throws -> Bool {
        guard let row = try coordinator.openStore().row(object.id, of: object.entity) else { return false }
        for column in 0..<row.count where !object.changed.contains(column) {
            object.values[column] = row[column]
        }
        object.savedValues = object.changed.isEmpty ? nil : row
        object.readAt = coordinator.history.saves
        return true
    }

    // MARK: - Afterwards

    private func finishSave() {
        undoLog.endGroup()
        let history = coordinator.history
        history.countSave()
        // Naming every object costs something, so nobody does it when nobody listens.
        let isObserved = !observers.isEmpty || !coordinator.observers.isEmpty
        var changes = SavedChanges()
        var entries: [SaveReceipt.Entry] = []
        let isInBatch = coordinator.batch != nil
        for object in tracked {
            if isInBatch {
                entries.append(
                    .init(
                        object: object, state: object.state, savedValues: object.savedValues,
                        changed: object.changed))
            }
            if isObserved { changes.note(object) }
            if object.hasChanges { history.note(object.entity, object.id) }
            settle(object)
        }
        let receipt = SaveReceipt(context: self, entries: entries, pairs: pairs, changes: changes)
        tracked.removeAll(keepingCapacity: tracked.count < 1024)
        pairs = [:]
        ownSaves += 1
        if let batch = coordinator.batch {
            batch.add(receipt)
        } else {
            receipt.announce()
        }
    }

    private func settle(_ object: ManagedObject) {
        if object.state == .deleted {
            object.state = .detached
            object.registry.table.remove(object.id)
        } else if object.state == .inserted {
            object.state = .saved
        }
        object.savedValues = nil
        object.changed = .none
        object.unwritten = .none
        object.isTracked = false
        object.readAt = coordinator.history.saves
    }
}
