extension ManagedObjectContext {
    /// Reads an object again and discards its unsaved changes to attributes, to-one and many-to-many relationships.
    ///
    /// Both ends of a relationship are updated. If a discarded change made another object the partner of this one,
    /// that object gets back its partner in the store, or none if that partner has another partner here. The members
    /// of a one-to-many relationship keep their changes; refresh them separately.
    ///
    /// If the store no longer has the object, this context treats it as deleted. An object that was inserted or
    /// deleted here does not change; use `rollback` or `undo` to restore a deleted object. If the refresh discards
    /// changes, `undo` and `redo` can no longer reverse earlier changes.
    ///
    /// - Throws: A ``StoreError``. Its code is `misuse` if the object belongs to another context.
    public func refresh(_ object: ManagedObject) throws {
        try requireOwn(object)
        guard object.state == .saved else { return }
        coordinator.beginCall()
        defer { coordinator.endCall() }
        noticeOtherSaves()
        try showParentState()
        let row = try savedRow(of: object)
        let former = object.isUpdated ? object.values.copy() : nil
        try restoreValues(of: object)
        revertPairs(of: object)
        object.related = nil
        if let row { renew(object, row) } else { detach(object) }
        object.changed = .none
        object.unwritten = .none
        guard let former else { return }
        defer { discardObservers?.notify(()) }
        try settleOtherEnds(of: object, former)
        deleteLostValues()
        undoLog.removeAll()
        voidings += 1
        forgetWritten()
        showStoredValues()
    }

    /// Reads all objects without unsaved changes again.
    public func refreshAll() throws {
        noticeOtherSaves()
        for registry in registries {
            for object in registry.table.objects where object.state == .saved && !object.isUpdated {
                try refresh(object)
            }
        }
        voidings += 1
    }

    /// Reads objects without unsaved changes again, and does not throw.
    ///
    /// An object that cannot be read keeps its values and becomes doubtful. The next fetch or relationship that leads
    /// to it reads it, and throws if that fails.
    ///
    /// - Parameter isLimited: Whether only objects are read that are known to be out of date.
    func refreshReadable(onlyOutdated isLimited: Bool = false) {
        noticeOtherSaves()
        for registry in registries where !isLimited || registry.table.outdatedCount > 0 {
            for object in registry.table.objects where object.state == .saved && !object.isUpdated {
                if isLimited, object.freshness == .current { continue }
                do {
                    try refresh(object)
                } catch {
                    object.related = nil
                    object.freshness = .doubtful
                }
            }
        }
        voidings += 1
    }

    // MARK: - Implementation

    /// Returns the saved row of an object, or `nil` if there is none. Call it only while no transaction is open.
    func savedRow(of object: ManagedObject) throws -> RowValues? {
        try coordinator.store(at: object.storePosition).row(object.id, of: object.storedEntity)
    }

    private func revertPairs(of object: ManagedObject) {
        guard object.changedPairs > 0 else { return }
        for (key, isAdded) in changedPairs(of: object) {
            let ends = ends(of: key)
            // A removed pair cannot be restored without both of its ends.
            if isAdded || ends.allSatisfy(\.isAlive) { changePair(key, isLinked: !isAdded, of: ends) }
        }
    }

    /// Updates the other ends of to-one relationships after an object was read again.
    ///
    /// - Parameter former: The values of the object before it was read.
    private func settleOtherEnds(of object: ManagedObject, _ former: RowValues) throws {
        for column in object.entity.firstToOne..<object.entity.columns.count {
            let relationship = object.entity.toOne(at: column)
            let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
            let target = object.isAlive ? object.values[column] : .null
            if case .toOne(let inverse) = relationship.inverse {
                if former[column] != target, case .integer(let id) = former[column],
                    let partner = try self.object(id, in: registry),
                    partner.values[inverse] == .integer(object.id)
                {
                    try revertPartner(of: partner, column: inverse)
                }
                if case .integer(let id) = target, let partner = try self.object(id, in: registry) {
                    try pair(partner, inverse: inverse, with: object, column: column)
                }
            }
            guard case .integer(let id) = target, let known = registry.table[id], known.state == .deleted
            else {
                continue
            }
            // The object did not have this reference when the deletion cleared the references.
            let inverse = known.entity.relationship(at: relationship.inverse)
            if inverse?.description.deleteRule == .nullify { set(.null, inColumn: column, of: object) }
        }
    }

    /// Makes `partner` refer to `object`, which refers to it in the store.
    private func pair(
        _ partner: ManagedObject, inverse: Int, with object: ManagedObject, column: Int
    ) throws {
        let rival = partner.values[inverse]
        guard rival != .integer(object.id) else { return }
        try revert(inverse, of: partner)
        guard case .integer(let id) = rival, let rival = try self.object(id, in: object.home),
            rival.values[column] == .integer(partner.id)
        else { return }
        try revertPartner(of: rival, column: column)
    }

    /// Restores the partner that an object has in the store. If that partner has another partner here, the object has
    /// none.
    private func revertPartner(of object: ManagedObject, column: Int) throws {
        let relationship = object.entity.toOne(at: column)
        guard case .toOne(let inverse) = relationship.inverse, let row = try savedRow(of: object) else {
            return set(.null, inColumn: column, of: object)
        }
        guard case .integer(let id) = row[column] else { return try revert(column, of: object) }
        let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
        guard let partner = try self.object(id, in: registry),
            partner.values[inverse].isNull || partner.values[inverse] == .integer(object.id),
            try savedRow(of: partner)?[inverse] == .integer(object.id)
        else { return set(.null, inColumn: column, of: object) }
        try revert(column, of: object)
        try revert(inverse, of: partner)
    }

    /// Discards the unsaved change of one column.
    private func revert(_ column: Int, of object: ManagedObject) throws {
        guard object.state == .saved, let row = try savedRow(of: object) else { return }
        let isChanged = object.values[column] != row[column]
        object.values[column] = row[column]
        object.savedValues?[column] = row[column]
        object.changed.remove(column)
        object.unwritten.remove(column)
        if object.changed.isEmpty { renew(object, row) }
        if isChanged, !observers.isEmpty {
            observers.notify(.changed(object, property: object.entity.columns[column].name))
        }
    }
}
