extension ManagedObjectContext {
    /// Discards all unsaved changes: objects get their saved values back, and new objects are removed.
    ///
    /// In `beforeSave` and `validate()`, the changes stay, and the save ends with a ``StoreError`` of the code `misuse`.
    public func rollback() {
        if isInSaveHook {
            _ = reading { throw Self.misuseInSaveHook("rollback") }
            return
        }
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
            object.lists = []
        }
        tracked = []
        pairs = ChangedPairs()
        revived = []
        unwrittenObjects = []
        unwrittenPairs = []
        recent.removeAll()
        prefetched = [:]
        voidings += 1
        // The IDs of new objects can be used again, unless another context may have new objects.
        if !coordinator.history.isWatching { coordinator.forgetLastIDs() }
        forgetFailure()
        undoLog.removeAll()
        showStoredValues()
        if !observers.isEmpty { observers.notify(.rolledBack) }
    }

    /// Removes an object from the context because the store no longer has it.
    func detach(_ object: ManagedObject) {
        if object.state != .detached { object.home.table.remove(object.id) }
        object.state = .detached
        object.hasRow = false
        object.freshness = .current
    }

    /// Discards all unsaved changes and reads all objects again, because the stores did not keep a transaction's
    /// saves.
    func returnToStores() {
        rollback()
        _ = reading { try refreshAll() }
    }

    /// Turns the changes of a save that was not kept into unsaved changes again.
    func restore(_ receipt: SaveReceipt) {
        for entry in receipt.entries {
            let object = entry.object
            switch entry.state {
            case .inserted:
                // The object was then deleted without a save, so it was never in the store.
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
            if !object.lists.contains(.tracked) {
                object.lists.insert(.tracked)
                tracked.append(object)
            }
        }
        for (key, isAdded) in receipt.pairs {
            changePair(key, isLinked: isAdded, of: ends(of: key))
        }
        // A save without objects, such as `updateAll`, has no entries. Its updated objects are read again.
        if receipt.entries.isEmpty {
            for name in receipt.changes.updated {
                _ = reading {
                    if let known = try object(name) { try takeOver(known) }
                }
            }
        }
        voidings += 1
        forgetWritten()
    }
}

/// An error for a save of objects that another context or another program has saved since this context read them.
public struct ConflictError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A save by another program.
    public struct OtherProgram: Hashable, Sendable {
        /// The author of the save.
        public let author: String?

        package init(author: String?) {
            self.author = author
        }
    }

    /// The objects that were saved or deleted.
    public let objects: [ObjectID]
    /// The programs that saved them last. An object that another context of this program has saved is not here.
    public let programs: [ObjectID: OtherProgram]

    package init(objects: [ObjectID], programs: [ObjectID: OtherProgram]) {
        self.objects = objects
        self.programs = programs
    }

    public var description: String {
        let others = Set(programs.values.map(\.author)).map {
            $0.map { "another program (\($0))" } ?? "another program"
        }
        let isByContext = programs.count < objects.count
        let authors = (isByContext ? ["another context"] : []) + others.sorted()
        return
            "changed or deleted by \(authors.joined(separator: " and ")) since they were read: "
            + "\(objects.map(\.description).joined(separator: ", ")); refresh them and save again, "
            + "or set the context's conflictPolicy"
    }
}

extension ManagedObjectContext {
    /// Returns the error for objects that were saved elsewhere.
    func conflict(about objects: [ObjectID]) -> ConflictError {
        var programs: [ObjectID: ConflictError.OtherProgram] = [:]
        if let place = coordinator.sharedPlace {
            for object in objects where object.store == place.objectIdentifier {
                // If the history cannot be read, the objects and the remedy are still known.
                guard let save = try? place.recorder?.lastSaveByOthers(of: object) else { continue }
                programs[object] = .init(author: save.author)
            }
        }
        return ConflictError(objects: objects, programs: programs)
    }
}
