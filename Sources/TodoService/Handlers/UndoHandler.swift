internal import Reminders
internal import TodoAPI

struct UndoHandler: Handler {
    let longChanges: LongChanges

    func handle(_ parameters: ChangeCount, _ answer: Answer<Undo>) throws {
        let count = try Workspace.changeCount(parameters)
        longChanges.begin(answer) { change in
            try change.change { workspace in
                ChangeList(
                    changes: try workspace.replay { changes, endLot in
                        try changes.undo(count, at: workspace.now(), endLot: endLot)
                    })
            }
        }
    }
}
