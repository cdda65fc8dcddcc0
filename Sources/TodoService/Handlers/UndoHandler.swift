internal import Reminders
internal import TodoAPI

struct UndoHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ChangeCount, _ answer: Answer<Undo>) throws {
        let count = try TypedValue.changeCount(parameters)
        backgroundChanges.begin(answer) { change in
            try change.change { service in
                ChangeList(
                    changes: try service.changes.replay { changes, endBatch in
                        try changes.undo(count, at: service.times.now(), endBatch: endBatch)
                    })
            }
        }
    }
}
