extension ManagedObjectContext {
    /// Saves all changes, or none of them.
    ///
    /// The changes of a child context become unsaved changes of its parent, and no store changes.
    ///
    /// The changes are durable when the method returns, or in a batch when the batch returns. If the save fails, the
    /// store does not change and the context keeps all its changes.
    ///
    /// With several stores, each store saves all of its changes or none, in the order in which the stores were added.
    /// All errors that can be detected in advance are thrown before the first store is saved. If a store fails after
    /// others were saved, those stores stay saved, and the context keeps the remaining changes.
    ///
    /// - Throws: A `ValidationError` with everything that the model does not allow, or a `ConflictError` if another
    ///   context has saved the same objects first. Throws a `PartialSaveError` if only some of the stores were saved,
    ///   and a `StoreError` for any other failure of a store.
    public func save() throws {
        if isInSaveHook { throw Self.misuseInSaveHook("save") }
        try refuseFailure()
        guard hasChanges else { return }
        coordinator.beginCall()
        defer { coordinator.endCall() }
        if !saveHandlers.isEmpty { try inSaveHook { try saveHandlers.notify(()) } }
        try mergeNewObjects()
        var unique = try inSaveHook(validate)
        do {
            // While a transaction is open, no other program saves. It may have saved before that.
            while true {
                let noticed = coordinator.noticedSaves
                if try settleConflicts() { unique = try inSaveHook(validate) }
                try refuseHalfRelationships()
                do {
                    try writeChanges()
                } catch is ConflictError where conflictPolicy != .error {
                    // Another program has saved between the check and the write. The store keeps nothing of this save.
                    continue
                }
                try deriveAllValues()
                // An observer of derived attributes may have changed objects.
                let isWritten = related == nil || !(hasUnwrittenChanges || isDerivationDue)
                if noticed == coordinator.noticedSaves, isWritten { break }
                // The saves may have objects with the unique values of new ones.
                try mergeNewObjects()
                unique = try inSaveHook(validate)
            }
        } catch {
            // An open transaction would keep other programs from saving.
            if coordinator.sharedPlace != nil { coordinator.abandonWriter() }
            throw error
        }
        let outcome: (saved: [Int], failure: (any Error)?)
        do {
            try refuseInvalidRelatedValues()
            if !isMigrating {
                try checkUniqueness(of: unique)
                try refuseDanglingReferences()
            }
            if let parent { return try moveChanges(to: parent) }
            if coordinator.recordsHistory { try recordHistory() }
            outcome = try coordinator.commitTransactions(of: self)
        } catch {
            coordinator.transactionFailed(error)
            throw error
        }
        guard let failure = outcome.failure else { return finishSave(at: outcome.saved) }
        let error = partialSave(outcome.saved, failure)
        finishSave(at: outcome.saved)
        coordinator.transactionFailed(failure)
        throw error
    }

    /// Returns the error for a save that succeeded in only some of the stores.
    private func partialSave(_ saved: [Int], _ failure: any Error) -> PartialSaveError {
        let unsaved = Set(tracked.filter(\.hasChanges).map(\.storePosition) + pairs.keys.map(\.store))
            .subtracting(saved)
        let names = { (positions: [Int]) in positions.map { self.coordinator.places[$0].name } }
        return PartialSaveError(saved: names(saved), unsaved: names(unsaved.sorted()), cause: failure)
    }

    /// Begins a call that reads the stores, including the unsaved changes. If it does not throw, the call ends with
    /// `endReading`.
    func beginReading() throws {
        coordinator.beginCall()
        do {
            try writeChanges()
        } catch {
            coordinator.endCall()
            throw error
        }
    }

    func endReading() { coordinator.endCall() }

    /// Writes the changes that the open transaction does not have yet, so that reads of the store include them.
    ///
    /// If there are none, it rolls back the unsaved changes that another context wrote, so that they are not read.
    func writeChanges() throws {
        coordinator.noticeOtherPrograms()
        noticeOtherSaves()
        try enterStores()
        if related != nil { try replaceRolledBackValues() }
        if hasUnwrittenChanges { try writeUnwritten(for: self) }
        if related != nil { try deriveRolledBackValues() }
    }

    /// Whether there are changes that the open transaction does not have yet.
    var hasUnwrittenChanges: Bool { !unwrittenObjects.isEmpty || !unwrittenPairs.isEmpty }

    /// Writes the changes to the open transaction of this context or of one of its children.
    func writeUnwritten(for writer: ManagedObjectContext) throws {
        for position in try positionsToWrite() {
            try coordinator.openTransaction(for: writer, at: position)
        }
        noticeOtherSaves()
        try derive(unwrittenObjects)
        let objects = unwrittenObjects
        let pairs = unwrittenPairs
        unwrittenObjects = []
        unwrittenPairs = []
        var changes = coordinator.places.map { _ in StoreChanges() }
        if changes.count == 1 { changes[0].rows.reserveCapacity(min(objects.count, Self.rowsAtOnce)) }
        do {
            try recordOwners(affectedBy: objects, pairs)
            for object in objects {
                object.lists.remove(.queued)
                let position = object.storePosition
                if let row = try change(of: object) { changes[position].rows.append(row) }
                guard changes[position].rows.count == Self.rowsAtOnce else { continue }
                try coordinator.store(at: position).apply(changes[position])
                changes[position].rows.removeAll(keepingCapacity: true)
            }
            for (key, isAdded) in pairs {
                changes[key.store].pairs.append(
                    .init(link: key.link, ownerID: key.ownerID, otherID: key.otherID, isAdded: isAdded))
            }
            for (position, changes) in changes.enumerated() where !changes.isEmpty {
                try coordinator.store(at: position).apply(changes)
            }
        } catch {
            if let conflict = error as? ConflictError { doubt(conflict) }
            coordinator.transactionFailed(error)
            throw error
        }
    }

    /// Returns the positions of the stores that have unwritten changes.
    ///
    /// - Throws: A `StoreError` if one of these stores is read-only.
    private func positionsToWrite() throws -> [Int] {
        let places = coordinator.places
        if places.count == 1, !places[0].store.isReadOnly { return [0] }
        var positions: Set<Int> = []
        for object in unwrittenObjects where positions.insert(object.storePosition).inserted {
            let store = try coordinator.store(at: object.storePosition)
            guard !store.isReadOnly else {
                throw StoreError.readOnly("\(object.entity.name) \(object.id)", store)
            }
        }
        for (key, _) in unwrittenPairs where positions.insert(key.store).inserted {
            let store = try coordinator.store(at: key.store)
            let owner = model.entities[model.links[key.link].ownerIndex]
            guard !store.isReadOnly else {
                throw StoreError.readOnly("\(owner.name) \(key.ownerID)", store)
            }
        }
        return positions.sorted()
    }

    /// The number of rows per call of the store. The objects of a small batch are still in the CPU cache when it is
    /// written.
    private static let rowsAtOnce = 512

    /// Returns the change of an object that the open transaction does not have yet, or `nil` if there is none, and
    /// marks the object as written.
    ///
    /// The change of an object that another context has deleted stays unwritten. A save reports it as a conflict.
    private func change(of object: ManagedObject) throws -> StoreChanges.Row? {
        let kind: StoreChanges.Row.Kind
        switch (object.isAlive, object.hasRow) {
        case (true, false): kind = .insert
        case (true, true) where !object.unwritten.isEmpty:
            guard try hasRow(of: object) else { return nil }
            kind = .update
        case (false, true): kind = .delete
        default: return nil
        }
        let columns = object.unwritten
        object.hasRow = object.isAlive
        object.unwritten = .none
        return .init(
            kind: kind, entity: object.storedEntity, id: object.id, values: object.values, columns: columns)
    }

    private func hasRow(of object: ManagedObject) throws -> Bool {
        guard object.freshness != .current else { return true }
        let row = try coordinator.store(at: object.storePosition).row(object.id, of: object.storedEntity)
        if row == nil { object.freshness = .outdated }
        return row != nil
    }

    /// Marks all unsaved changes as unwritten after the open transaction was rolled back.
    func forgetWritten() {
        related?.forgetWritten()
        unwrittenObjects = []
        for object in tracked {
            if parent != nil, object.hasRevertedChanges { object.forgetRevertedChanges() }
            object.hasRow = object.isInStore
            object.unwritten = object.isInStore ? object.changed : .none
            if object.changesRow {
                object.lists.insert(.queued)
                unwrittenObjects.append(object)
            } else {
                object.lists.remove(.queued)
            }
        }
        unwrittenPairs = pairs.all.map { ($0.key, $0.value) }
    }

    // MARK: - Checks before a save

    /// Runs code of the program that may change objects, but neither save nor roll back the context.
    private func inSaveHook<Result>(_ body: () throws -> Result) throws -> Result {
        isInSaveHook = true
        defer { isInSaveHook = false }
        let result = try body()
        try refuseFailure()
        return result
    }

    static func misuseInSaveHook(_ method: String) -> StoreError {
        StoreError(
            .misuse,
            "'\(method)' was called while the context was about to save; throw an error to end the save")
    }

    private func refuseFailure() throws {
        guard let failure else { return }
        if failure is PropertyError { throw failure }
        if let failure = failure as? StoreError,
            [.crossStore, .contextFailed, .misuse].contains(failure.code)
        {
            throw failure
        }
        throw StoreError(
            .contextFailed, "an object could not be read; roll the context back and begin again",
            cause: failure)
    }

    /// Checks the changed objects against the rules of the model, except `unique`. External values without an owner are
    /// deleted first.
    ///
    /// - Returns: The objects that have `unique` rules, which only the store can check.
    func validate() throws -> [ManagedObject] {
        deleteLostValues()
        try derive(tracked)
        var validation = Validation()
        var unique: [ManagedObject] = []
        for object in tracked where object.isAlive {
            validation.check(object)
            if !object.entity.uniqueRules.isEmpty { unique.append(object) }
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
        if !isMigrating { try validateByClass() }
        return unique
    }

    /// Calls the `validate` methods of the objects' classes.
    private func validateByClass() throws {
        var failures: [ValidationError.Failure] = []
        for object in tracked where object.isInserted || object.isUpdated {
            do {
                try object.validate()
            } catch let error as ValidationError {
                failures += error.failures
            }
        }
        guard failures.isEmpty else { throw ValidationError(failures) }
    }

    /// Checks the `unique` rules after the changes are written. Only the result counts, so two objects can swap their
    /// values.
    func checkUniqueness(of objects: [ManagedObject]) throws {
        var validation = Validation()
        // Each search ignores the case of all texts in the store, so several searches share one.
        var texts = objects.count < UniqueTexts.leastObjects ? nil : UniqueTexts()
        for object in objects {
            for rule in object.entity.uniqueRules {
                guard object.state == .inserted || rule.columns.contains(where: object.changed.contains)
                else {
                    continue
                }
                if let column = rule.onlyColumn {
                    try check(column, rule.options, of: object, &texts, &validation)
                } else {
                    try check(rule.columns, of: object, &validation)
                }
            }
        }
        guard validation.failures.isEmpty else { throw ValidationError(validation.failures) }
    }

    func refuseDanglingReferences() throws {
        guard let reference = try coordinator.danglingReference() else { return }
        throw StoreError(
            .danglingReference,
            "\(reference) refers to an object that does not exist; delete or change it first")
    }

    /// Checks that no other object has the same value in a column.
    private func check(
        _ position: Int, _ options: StringOptions, of object: ManagedObject,
        _ texts: inout UniqueTexts?, _ validation: inout Validation
    ) throws {
        let value = object.values[position]
        guard !value.isNull else { return }
        let entity = object.storedEntity
        let column = entity.columns[position].name
        for place in try coordinator.places(of: entity) {
            let ids: [Int64]
            if options.isEmpty {
                ids = try place.store.ids(of: entity, with: value, inColumn: position, limit: 2)
            } else if case .string(let text) = value,
                let known = try texts?.ids(of: entity, with: text, options, inColumn: position, place)
            {
                ids = known
            } else {
                let isSame = FetchPredicate(.key(column), .equal, .value(value), options: options)
                ids = try place.store.ids(StoreRequest(entity: entity, predicate: isSame, limit: 2))
            }
            let isItself = { place.position == object.storePosition && $0 == object.id }
            guard let other = ids.first(where: { !isItself($0) }) else { continue }
            let name = ObjectID(entity: entity.name, id: other, store: place.objectIdentifier)
            return validation.append(
                .init(
                    entity: entity.name, id: object.id, property: column, rule: .unique,
                    detail: "\(name) has the same value"))
        }
    }

    /// Checks that no other object has the same values in columns that are unique together. Objects without one of the
    /// values are not compared.
    private func check(
        _ columns: [Int], of object: ManagedObject, _ validation: inout Validation
    ) throws {
        let values = columns.map { object.values[$0] }
        guard !values.contains(where: \.isNull) else { return }
        let entity = object.storedEntity
        // The IDs in relationships have a meaning in their own store only.
        let hasReference = columns.contains { $0 >= entity.firstToOne }
        for place in try coordinator.places(of: entity)
        where !hasReference || place.position == object.storePosition {
            let ids = try place.store.ids(of: entity, with: values, inColumns: columns, limit: 2)
            let isItself = { place.position == object.storePosition && $0 == object.id }
            guard let other = ids.first(where: { !isItself($0) }) else { continue }
            let name = ObjectID(entity: entity.name, id: other, store: place.objectIdentifier)
            return validation.append(.init(of: entity, id: object.id, notUnique: columns, other: name))
        }
    }

    // MARK: - After a save

    /// Updates the context after a save.
    ///
    /// - Parameter positions: The positions of the stores that were saved.
    private func finishSave(at positions: [Int]) {
        undoLog.endGroup()
        let history = coordinator.history
        history.countSave()
        // Collecting the object IDs takes time, so it is done only if there are observers.
        let isObserved =
            !observers.isEmpty || !coordinator.observers.isEmpty || !coordinator.liveResults.isEmpty
        var changes = SavedChanges()
        if isObserved { changes.author = transactionAuthor }
        var entries: [SaveReceipt.Entry] = []
        // A transaction that fails restores no changes, so it needs no entries.
        let isRevertible = coordinator.batch.map { !$0.isTransaction } ?? false
        for position in positions {
            for owner in derivedOwners(at: position, \.changesRow) {
                let registry = registry(of: owner.entity, at: position)
                if history.isWatching {
                    history.appendDoubt(entity: owner.entity, store: position, id: owner.id)
                }
                guard isObserved, registry.table[owner.id]?.hasChanges != true else { continue }
                changes.updated.append(registry.objectID(owner.id))
            }
        }
        related?.settle(savedAt: positions)
        var unsaved: [ManagedObject] = []
        for object in tracked {
            guard positions.contains(object.storePosition) || !object.hasChanges else {
                unsaved.append(object)
                continue
            }
            if isRevertible {
                entries.append(
                    .init(
                        object: object, state: object.state, savedValues: object.savedValues,
                        changed: object.changed))
            }
            if isObserved { changes.record(object) }
            if object.changesRow { history.append(object.id, in: object.home) }
            settle(object)
        }
        skipOwnHistory()
        // Not emptied in place: the `deinit` of a class may read the changed objects of the context.
        tracked = unsaved
        let saved = pairs.all.filter { positions.contains($0.key.store) }
        for key in saved.keys { pairs[key] = nil }
        let receipt = SaveReceipt(context: self, entries: entries, pairs: saved, changes: changes)
        ownSaves += 1
        if let batch = coordinator.batch {
            batch.add(receipt, savedAt: positions)
        } else {
            receipt.notifyObservers()
            coordinator.reportToLiveResults(.settled)
        }
    }

    func settle(_ object: ManagedObject) {
        if object.state == .deleted {
            object.state = .detached
            object.freshness = .current
            object.home.table.remove(object.id)
        } else if object.state == .inserted {
            object.state = .saved
        }
        object.savedValues = nil
        object.changed = .none
        object.unwritten = .none
        object.lists.remove(.tracked)
        object.changedPairs = 0
    }
}
