extension ManagedObjectContext {
    /// The number of groups of changes that can be undone. The default is 0: no changes are recorded.
    public var undoLevels: Int {
        get { undoLog.levels }
        set { undoLog.levels = newValue }
    }

    /// Whether there is a change to undo.
    public var canUndo: Bool { undoLog.canUndo }

    /// Whether there is an undone change to make again.
    public var canRedo: Bool { undoLog.canRedo }

    /// Ends the current group of changes, which are undone together. A save ends a group, too.
    public func endUndoGroup() {
        undoLog.endGroup()
    }

    /// Reverses the last group of changes. The reversed changes are unsaved. A deleted object is restored with its
    /// ID.
    public func undo() {
        noticeOtherSaves()
        undoLog.undo(reverse)
        processPendingChanges()
    }

    /// Reapplies the changes that were undone last, unless other changes were made since.
    public func redo() {
        noticeOtherSaves()
        undoLog.redo(reverse)
        processPendingChanges()
    }

    /// Whether an object is deleted and no other object has its row. If an ancestor discards a deletion, the context reads the
    /// row as a new object.
    private func canRevive(_ object: ManagedObject) -> Bool {
        object.state == .deleted || object.state == .detached && object.home.table[object.id] == nil
    }

    /// Whether an object is alive. An ancestor may have discarded it after this context saved it there.
    private func isPresent(_ object: ManagedObject) -> Bool {
        if parent != nil, object.freshness != .current { _ = reading { try bringUpToDate(object) } }
        return object.isAlive
    }

    private func reverse(_ step: UndoLog.Step) {
        switch step {
        case .insertion(let object): if isPresent(object) { recordDeletion(of: object) }
        case .deletion(let object): if canRevive(object) { recordRevival(of: object) }
        case .value(let object, let column, let old):
            if isPresent(object) { set(old, inColumn: column, of: object) }
        case .pair(let owner, let position, let other, let inverse, let isLinked):
            guard isPresent(owner), isPresent(other) else { return }
            setPair(owner, position: position, with: other, inverse: inverse, isLinked: !isLinked)
        }
    }
}
