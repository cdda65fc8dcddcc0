internal import Reminders
internal import TodoAPI

struct RedoHandler: Handler {
    let longChanges: LongChanges

    func handle(_ parameters: ChangeCount, _ answer: Answer<Redo>) throws {
        let count = try Workspace.changeCount(parameters)
        longChanges.begin(answer) { change in
            try change.change { workspace in
                ChangeList(
                    changes: try workspace.replay { changes, endLot in
                        try changes.redo(count, at: workspace.now(), endLot: endLot)
                    })
            }
        }
    }
}
