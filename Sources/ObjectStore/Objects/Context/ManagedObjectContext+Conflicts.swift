extension ManagedObjectContext {
    /// Finds the objects to save that another context has saved since they were read, and applies the conflict policy
    /// to them.
    ///
    /// - Returns: Whether objects may have other values now.
    func settleConflicts() throws -> Bool {
        noticeOtherSaves()
        guard hasOutdatedObjects else { return false }
        try resolveDoubts()
        let late = try tracked.filter { object in
            guard object.isInStore, object.freshness != .current else { return false }
            return object.changesRow ? object.freshness == .outdated : try isMissingEnd(object)
        }
        guard !late.isEmpty else { return false }
        if conflictPolicy == .error { throw conflict(about: late.map(\.objectID)) }
        try takeOver(late)
        return true
    }

    /// Makes all contexts compare the objects of a conflict with their rows before they use them again.
    func doubt(_ conflict: ConflictError) {
        for object in conflict.objects {
            guard let entity = model.entity(named: object.entity) else { continue }
            // A store does not know its position. An object of another store with the same ID is found unchanged.
            for place in coordinator.places {
                coordinator.history.appendDoubt(
                    entity: model.stored(entity), store: place.position, id: object.id)
            }
        }
        coordinator.history.countSave()
    }

    /// Compares the doubtful objects that are about to be saved with their rows in the store.
    private func resolveDoubts() throws {
        let doubtful = tracked.filter { $0.freshness == .doubtful && $0.isInStore && $0.changesRow }
        guard !doubtful.isEmpty else { return }
        // The rows that this context has written would hide the saved ones.
        try showParentState()
        for object in doubtful {
            let store = try coordinator.store(at: object.storePosition)
            let saved = object.savedValues ?? object.values
            let row = try store.row(object.id, of: object.storedEntity)
            let derived = relatedColumns(of: object.entity)
            let isSame =
                row.map { row in
                    (0..<row.count).allSatisfy { row[$0] == saved[$0] || derived.contains($0) }
                } ?? false
            if isSame, let row { takeRelatedValues(of: object, from: row) }
            object.freshness = isSame ? .current : .outdated
        }
    }

    /// Whether another context has deleted the object while a pair with it is added here.
    private func isMissingEnd(_ object: ManagedObject) throws -> Bool {
        guard object.changedPairs > 0, changedPairs(of: object).contains(where: \.isAdded) else {
            return false
        }
        return try coordinator.store(at: object.storePosition).row(object.id, of: object.storedEntity) == nil
    }

    /// Throws if the two ends of a one-to-one relationship disagree. This can happen when a change is undone after
    /// another context has saved the object.
    func refuseHalfRelationships() throws {
        guard hasOutdatedObjects || undoLog.isRecording else { return }
        var halves: [ObjectID] = []
        for object in tracked where object.isAlive && object.changesRow {
            for column in object.entity.firstToOne..<object.entity.columns.count {
                let relationship = object.entity.toOne(at: column)
                guard case .toOne(let inverse) = relationship.inverse,
                    object.isInserted || object.changed.contains(column)
                else { continue }
                let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
                for end in [object.values[column], object.savedValues?[column] ?? .null] {
                    guard case .integer(let id) = end, let other = try self.object(id, in: registry),
                        other.has(.integer(object.id), inColumn: inverse) != object.has(end, inColumn: column)
                    else { continue }
                    halves += [object.objectID, other.objectID]
                }
            }
        }
        guard halves.isEmpty else { throw conflict(about: halves) }
    }

    /// Reads an object again after this context has changed its row directly. If another context has saved it, too,
    /// the object's unsaved changes still conflict.
    func readAgain(_ object: ManagedObject) throws {
        let freshness = object.freshness
        try takeOver(object)
        if !object.changed.isEmpty { object.freshness = freshness }
    }

    /// Reads an object again, except for the properties that were changed here.
    ///
    /// - Parameter theirsWin: Whether properties that were changed both here and in the store are read, too.
    /// - Returns: `false` if the store does not have the object.
    @discardableResult
    func takeOver(_ object: ManagedObject, theirsWin: Bool = false) throws -> Bool {
        let store = try coordinator.store(at: object.storePosition)
        guard let row = try store.row(object.id, of: object.storedEntity) else { return false }
        let base = object.savedValues ?? row
        let mine = object.values.copy()
        var changed = ColumnSet.none
        for column in 0..<row.count {
            // For an entity with many columns, the set may contain columns that were not changed.
            let isMine = object.changed.contains(column) && object.values[column] != base[column]
            if isMine, !theirsWin || row[column] == base[column] {
                changed.insert(column)
            } else {
                object.values[column] = row[column]
            }
        }
        // In an ordered relationship, a place has a meaning together with its owner only.
        for column in object.entity.firstToOne..<object.entity.columns.count {
            guard let order = orderColumn(ofTargetIn: column, of: object.entity) else { continue }
            if object.values[column] != row[column] {
                object.values[order] = mine[order]
                if mine[order] != row[order] { changed.insert(order) }
            } else if row[column] != base[column] {
                object.values[order] = row[order]
                changed.remove(order)
            }
        }
        object.changed = changed
        object.unwritten = changed
        object.savedValues = changed.isEmpty ? nil : row
        object.freshness = .current
        return true
    }

    /// Takes over the properties that other contexts changed, except for those that win here.
    ///
    /// An object that is changed here and deleted in the store is always a conflict. An object that is deleted here
    /// and changed in the store is a conflict unless this context wins.
    private func takeOver(_ late: [ManagedObject]) throws {
        try showParentState()
        let theirsWin = conflictPolicy == .theirsWins
        let mine = late.map { $0.values.copy() }
        var losers: [ManagedObject] = []
        for object in late {
            let isThere = try takeOver(object, theirsWin: theirsWin)
            if isThere != object.isAlive, object.isAlive || theirsWin { losers.append(object) }
            if !isThere, !object.isAlive { object.hasRow = false }
        }
        guard losers.isEmpty else { throw conflict(about: losers.map(\.objectID)) }
        for (object, mine) in zip(late, mine) { try release(from: object, mine) }
        voidings += 1
        discardObservers?.notify(())
    }

    /// Clears the references to `object` that lost a conflict about a one-to-one relationship. They still lead to
    /// `object`, but `object` no longer refers to their owners.
    private func release(from object: ManagedObject, _ mine: RowValues) throws {
        for column in object.entity.firstToOne..<object.entity.columns.count {
            let relationship = object.entity.toOne(at: column)
            guard case .toOne(let inverse) = relationship.inverse else { continue }
            let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
            let winner = object.isAlive ? object.values[column] : .null
            for end in [mine[column], (object.savedValues ?? object.values)[column]] {
                guard case .integer(let id) = end, let other = try self.object(id, in: registry) else {
                    continue
                }
                // Another context may have saved the object since it was read.
                if !other.changesRow { try takeOver(other) }
                if end != winner, other.values[inverse] == .integer(object.id) {
                    set(.null, inColumn: inverse, of: other)
                }
            }
        }
    }
}

extension ManagedObject {
    // Not inlined: the optimizer of Swift 6.3.1 crashes in the loop of `refuseHalfRelationships` otherwise.
    @inline(never)
    fileprivate final func has(_ value: AttributeValue, inColumn column: Int) -> Bool {
        values[column] == value
    }
}
