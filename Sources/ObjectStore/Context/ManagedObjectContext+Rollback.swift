extension ManagedObjectContext {
    /// Takes all unsaved changes back: every object is again as the store has it, and the new ones are gone.
    public func rollback() {
        if coordinator.isWriter(self) { coordinator.abandonWriter() }
        for object in tracked {
            if object.state == .inserted {
                object.state = .detached
                object.home.table.remove(object.id)
            } else if object.state == .deleted {
                object.state = .saved
            }
            if let saved = object.savedValues { object.values.assign(saved) }
            object.savedValues = nil
            object.changed = .none
            object.unwritten = .none
            object.changedPairs = 0
            object.hasRow = object.isInStore
            object.isTracked = false
            object.isQueued = false
        }
        tracked = []
        pairs = [:]
        unwrittenObjects = []
        unwrittenPairs = []
        recent.removeAll()
        voidings += 1
        // The ids of new objects are free again, unless new objects of another context have some.
        if !coordinator.history.isWatching { coordinator.forgetLastIDs() }
        forgetFailure()
        undoLog.removeAll()
        if !observers.isEmpty { observers.tell(.rolledBack) }
    }

    /// The object is gone from the store, and so it is gone here.
    func detach(_ object: ManagedObject) {
        if object.state != .detached { object.home.table.remove(object.id) }
        object.state = .detached
        object.hasRow = false
        object.freshness = .current
    }

    /// What was saved in a transaction is not in the stores: every object is again as they have it.
    func returnToStores() {
        rollback()
        _ = reading { try refreshAll() }
    }

    /// Makes the changes of a save that was not kept unsaved again.
    func restore(_ receipt: SaveReceipt) {
        for entry in receipt.entries {
            let object = entry.object
            switch entry.state {
            case .inserted:
                // It was deleted since, without having been saved: it never existed.
                if object.state == .deleted { object.home.table.remove(object.id) }
                object.state = object.isAlive ? .inserted : .detached
            case .deleted:
                object.state = .deleted
                object.home.table.insert(object)
                fallthrough
            case .saved:
                object.savedValues = entry.savedValues
                object.changed.formUnion(entry.changed)
            case .detached: break
            }
            if !object.isTracked {
                object.isTracked = true
                tracked.append(object)
            }
        }
        for (key, isAdded) in receipt.pairs {
            changePair(key, isLinked: isAdded, of: ends(of: key))
        }
        // A change of many objects at once left nothing to restore; what it changed is read again.
        if receipt.entries.isEmpty {
            for name in receipt.changes.updated {
                guard let known = try? object(name) else { continue }
                _ = reading { try takeOver(known) }
            }
        }
        voidings += 1
        forgetWritten()
    }
}

/// Another context saved objects after this one had read them.
public struct ConflictError: Error, Hashable, Sendable, CustomStringConvertible {
    public let objects: [ObjectID]

    public var description: String {
        let names = objects.map(\.description).joined(separator: ", ")
        return
            "changed or deleted by another context since they were read: \(names); refresh them and save again, "
            + "or set the context's conflictPolicy"
    }
}
