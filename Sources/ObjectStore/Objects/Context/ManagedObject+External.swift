extension ManagedObject {
    /// Returns the value of an external attribute, by the column of the relationship to it.
    @usableFromInline
    final func externalValue(inColumn column: Int) -> AttributeValue {
        guard let context = registry.context else {
            failWithoutContext("read", property: entity.columns[column].name)
        }
        return context.reading { try context.externalValue(of: self, column: column) } ?? .null
    }

    /// Sets an external attribute, by the column of the relationship to its value.
    @usableFromInline
    final func setExternalValue(_ value: AttributeValue, inColumn column: Int) {
        guard let context = contextForChange(ofColumn: column) else { return }
        _ = context.reading { try context.setExternalValue(value, of: self, column: column) }
    }
}

extension ManagedObjectContext {
    /// Returns the value of an external attribute.
    ///
    /// Another context may have replaced the value, so an owner that it has saved is read first.
    func externalValue(of owner: ManagedObject, column: Int) throws -> AttributeValue {
        noticeOtherSaves()
        if owner.freshness != .current { try bringUpToDate(owner) }
        return try presentTarget(of: owner, column: column)?.values[0] ?? .null
    }

    /// Replaces the value of an external attribute. The owner then refers to another value, so it counts as changed.
    func setExternalValue(_ value: AttributeValue, of owner: ManagedObject, column: Int) throws {
        let former = try target(of: owner, column: column)
        guard value != former?.values[0] ?? .null else { return }
        if !value.isNull, let former, former.isInserted {
            // The store does not have the value yet, and the owner is changed already.
            return set(value, inColumn: 0, of: former)
        }
        var new: ManagedObject?
        if !value.isNull {
            let object = try insert(into: model.destination(of: owner.entity.toOne(at: column)))
            try assign(object, to: store(of: owner))
            set(value, inColumn: 0, of: object)
            new = object
        }
        try setTarget(new, of: owner, column: column)
        if let former { try delete(former) }
    }
}

extension ManagedObjectContext {
    /// Deletes the external values that have lost their owner, because another value has taken their place in a merge or a
    /// conflict.
    func deleteLostValues() {
        guard !model.ownerColumns.isEmpty, !isMigrating else { return }
        for object in tracked where object.isAlive {
            guard let column = model.ownerColumns[object.entity.index], object.values[column].isNull else {
                continue
            }
            recordDeletion(of: object)
        }
    }

    /// Restores the external values that were deleted here, before an object that has them is read again.
    func restoreValues(of object: ManagedObject) throws {
        guard !model.ownerColumns.isEmpty, let saved = object.savedValues else { return }
        for column in object.entity.firstToOne..<object.entity.columns.count {
            let relationship = object.entity.toOne(at: column)
            guard relationship.description.holdsValue, case .integer(let id) = saved[column] else { continue }
            let registry = registry(ofEntityAt: relationship.destinationIndex, besides: object)
            guard let value = registry.table[id], value.state == .deleted else { continue }
            if try savedRow(of: value) == nil { detach(value) } else { recordRevival(of: value) }
        }
    }
}
