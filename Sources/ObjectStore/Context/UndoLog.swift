/// The changes of a context that can be taken back, in groups.
final class UndoLog {
    /// One step of a change, with what it takes to reverse it.
    enum Step {
        case insertion(ManagedObject)
        case deletion(ManagedObject)
        case value(ManagedObject, column: Int, old: AttributeValue)
        case pair(ManagedObject, Int, ManagedObject, Int, isLinked: Bool)
    }

    /// Where recorded steps go.
    private enum Target {
        case undo, redo
    }

    /// How many groups are kept; with 0 nothing is recorded.
    var levels = 0 {
        didSet { if levels == 0 { removeAll() } else { trim() } }
    }

    private var undoGroups: [[Step]] = []
    private var redoGroups: [[Step]] = []
    private var openGroup: [Step] = []
    private var target = Target.undo

    var isRecording: Bool { levels > 0 }
    var canUndo: Bool { !openGroup.isEmpty || !undoGroups.isEmpty }
    /// What is recorded meanwhile leaves nothing to redo.
    var canRedo: Bool { !redoGroups.isEmpty }

    func record(_ step: Step) {
        // A new change leads somewhere else than what was undone before it.
        if target == .undo, !redoGroups.isEmpty { redoGroups = [] }
        openGroup.append(step)
    }

    func endGroup() {
        guard !openGroup.isEmpty else { return }
        undoGroups.append(openGroup)
        openGroup = []
        trim()
    }

    /// Reverses the last group; what `reverse` does for each of its steps becomes a group to redo.
    func undo(_ reverse: (Step) -> Void) {
        endGroup()
        guard let group = undoGroups.popLast() else { return }
        target = .redo
        group.reversed().forEach(reverse)
        redoGroups.append(openGroup)
        openGroup = []
        target = .undo
    }

    /// Reverses the last group that was undone, which becomes a group to undo again.
    func redo(_ reverse: (Step) -> Void) {
        guard let group = redoGroups.popLast() else { return }
        target = .redo
        group.reversed().forEach(reverse)
        undoGroups.append(openGroup)
        openGroup = []
        target = .undo
    }

    func removeAll() {
        undoGroups = []
        redoGroups = []
        openGroup = []
    }

    private func trim() {
        undoGroups.removeFirst(max(0, undoGroups.count - levels))
    }
}
