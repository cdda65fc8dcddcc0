extension ManagedObjectContext {
    /// How many groups of changes can be undone. With 0, which it is at first, nothing is remembered.
    public var undoLevels: Int {
        get { undoLog.levels }
        set { undoLog.levels = newValue }
    }

    public var canUndo: Bool { undoLog.canUndo }

    public var canRedo: Bool { undoLog.canRedo }

    /// Ends a group: what was changed since the last one is undone together. A save ends a group too.
    public func endUndoGroup() {
        undoLog.endGroup()
    }

    /// Takes the last group of changes back, as changes that are still to be saved. A deleted object comes
    /// back with its id.
    public func undo() {
        learnOfOtherSaves()
        undoLog.undo(reverse)
    }

    /// Makes the changes again that were undone last, unless something else was changed since.
    public func redo() {
        learnOfOtherSaves()
        undoLog.redo(reverse)
    }

    private func reverse(_ step: UndoLog.Step) {
        switch step {
        case .insertion(let object): if object.isAlive { noteDeletion(of: object) }
        case .deletion(let object): if !object.isAlive { noteRevival(of: object) }
        case .value(let object, let column, let old):
            if object.isAlive { set(old, inColumn: column, of: object) }
        case .pair(let owner, let position, let other, let inverse, let isLinked):
            setPair(owner, position, other, inverse, isLinked: !isLinked)
        }
    }
}
