/// The changes of a context that can be undone and redone, in groups.
final class UndoLog {
    /// One step of a change, with the data that reverses it.
    enum Step {
        case insertion(ManagedObject)
        case deletion(ManagedObject)
        case value(ManagedObject, column: Int, old: AttributeValue)
        case pair(ManagedObject, Int, ManagedObject, Int, isLinked: Bool)
    }

    /// The purpose of the steps that are recorded now.
    private enum Target {
        case undo, redo
    }

    /// The maximum number of groups. With 0, no steps are recorded.
    var levels = 0 {
        didSet {
            isRecording = levels > 0
            if isRecording { trim() } else { removeAll() }
        }
    }

    private var undoGroups: [[Step]] = []
    private var redoGroups: [[Step]] = []
    private var openGroup: [Step] = []
    private var target = Target.undo

    /// Whether changes are recorded. Each change of an object asks this.
    @exclusivity(unchecked) private(set) var isRecording = false
    var canUndo: Bool { !openGroup.isEmpty || !undoGroups.isEmpty }
    /// Whether there is a group to redo. A new change removes all of them.
    var canRedo: Bool { !redoGroups.isEmpty }

    func record(_ step: Step) {
        // A new change makes it impossible to redo the undone groups.
        if target == .undo, !redoGroups.isEmpty { redoGroups = [] }
        openGroup.append(step)
    }

    func endGroup() {
        guard !openGroup.isEmpty else { return }
        undoGroups.append(openGroup)
        openGroup = []
        trim()
    }

    /// Reverses the last group. The steps that `reverse` records become a group to redo.
    func undo(_ reverse: (Step) -> Void) {
        endGroup()
        guard let group = undoGroups.popLast() else { return }
        target = .redo
        group.reversed().forEach(reverse)
        redoGroups.append(openGroup)
        openGroup = []
        target = .undo
    }

    /// Reverses the last undone group. The steps that `reverse` records become a group to undo.
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
