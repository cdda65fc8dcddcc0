internal import Reminders
internal import TodoAPI

struct RedoHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: ChangeCount, _ answer: Answer<Redo>) throws {
        let count = try TypedValue.changeCount(parameters)
        backgroundChanges.begin(answer) { change in
            try change.change { service in
                ChangeList(
                    changes: try service.changes.replay { changes, endBatch in
                        try changes.redo(count, at: service.times.now(), endBatch: endBatch)
                    })
            }
        }
    }
}
