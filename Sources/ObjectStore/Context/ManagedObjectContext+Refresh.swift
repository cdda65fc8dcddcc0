extension ManagedObjectContext {
    /// Reads an object again, and takes back the unsaved changes of its attributes, of its to-one relationships and of
    /// its many-to-many relationships.
    ///
    /// Both ends of a relationship follow. An object that the change had made a partner of this one has none again, or
    /// the one that it has in the store if that one has no other partner here. Members of a one-to-many relationship of
    /// the object keep their changes: refresh the members.
    ///
    /// An object that is gone from the store is deleted for this context too. An object that was inserted or deleted here
    /// stays as it is; `rollback` and `undo` take a deletion back. A refresh that takes changes back empties the list of
    /// changes that `undo` can reverse.
    public func refresh(_ object: ManagedObject) throws {
        precondition(object.context === self, "an object is refreshed by its own context")
        guard object.state == .saved else { return }
        learnOfOtherSaves()
        coordinator.abandonWriter()
        let row = try savedRow(of: object)
        let former = object.isUpdated ? object.values.copy() : nil
        takeBackPairs(of: object)
        object.related = nil
        if let row { renew(object, row) } else { detach(object) }
        object.changed = .none
        object.unwritten = .none
        guard let former else { return }
        try settleOtherEnds(of: object, former)
        undoLog.removeAll()
        voidings += 1
        forgetWritten()
    }

    /// Reads every object again that has no unsaved changes.
    public func refreshAll() throws {
        learnOfOtherSaves()
        for registry in registries {
            for object in registry.table.objects where object.state == .saved && !object.isUpdated {
                try refresh(object)
            }
        }
        voidings += 1
    }

    /// Reads every object again that has no unsaved changes. An object that cannot be read keeps its values and stays
    /// doubtful: the next fetch or relationship that leads to it reads it, and throws if that fails.
    func refreshAllReadable() {
        learnOfOtherSaves()
        for registry in registries {
            for object in registry.table.objects where object.state == .saved && !object.isUpdated {
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

    // MARK: - Inside

    /// The row as it is saved, provided that no transaction is open.
    private func savedRow(of object: ManagedObject) throws -> RowValues? {
        try coordinator.store(at: object.home.store).row(object.id, of: object.entity)
    }

    private func takeBackPairs(of object: ManagedObject) {
        guard object.changedPairs > 0 else { return }
        for (key, isAdded) in changedPairs(of: object) {
            let ends = ends(of: key)
            // A pair cannot come back without one of its ends.
            if isAdded || ends.allSatisfy(\.isAlive) { changePair(key, isLinked: !isAdded, of: ends) }
        }
    }

    /// Makes the other ends of to-one relationships follow after an object was read again.
    ///
    /// - Parameter former: the values that the object had.
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
                    try giveBackPartner(of: partner, column: inverse)
                }
                if case .integer(let id) = target, let partner = try self.object(id, in: registry) {
                    try pair(partner, inverse, with: object, column)
                }
            }
            guard case .integer(let id) = target, let known = registry.table[id], known.state == .deleted
            else {
                continue
            }
            // The object was not there when the deletion took the references away.
            let inverse = known.entity.relationship(at: relationship.inverse)
            if inverse?.description.deleteRule == .nullify { set(.null, inColumn: column, of: object) }
        }
    }

    /// Makes the object at the other end refer to the one that refers to it in the store.
    private func pair(
        _ partner: ManagedObject, _ inverse: Int, with object: ManagedObject, _ column: Int
    ) throws {
        let rival = partner.values[inverse]
        guard rival != .integer(object.id) else { return }
        try revert(inverse, of: partner)
        guard case .integer(let id) = rival, let rival = try self.object(id, in: object.home),
            rival.values[column] == .integer(partner.id)
        else { return }
        try giveBackPartner(of: rival, column: column)
    }

    /// Gives an object whose partner is gone the one that it has in the store, if that one has no other partner here.
    private func giveBackPartner(of object: ManagedObject, column: Int) throws {
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

    /// Takes back the unsaved change of one column.
    private func revert(_ column: Int, of object: ManagedObject) throws {
        guard object.state == .saved, let row = try savedRow(of: object) else { return }
        let isChanged = object.values[column] != row[column]
        object.values[column] = row[column]
        object.savedValues?[column] = row[column]
        object.changed.remove(column)
        object.unwritten.remove(column)
        if object.changed.isEmpty { renew(object, row) }
        if isChanged, !observers.isEmpty {
            observers.tell(.changed(object, property: object.entity.columns[column].name))
        }
    }
}
