internal import TodoAPI

struct MuteItemsHandler: Handler {
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: MuteItems.Parameters, _ answer: Answer<MuteItems>) throws {
        try backgroundChanges.change(items: parameters.ids.count, answer) {
            try ItemEditor($0).mute(parameters.ids, isMuted: parameters.muted)
        }
    }
}
