internal import TodoAPI

struct WatchHandler: Handler {
    let service: ServiceContext
    let hub: WatchHub

    func handle(_ parameters: Watch.Parameters, _ answer: Answer<Watch>) throws {
        // If the turn fails, so does this call. Otherwise the last change of the turn so far is on disk.
        let position =
            try parameters.since.map { try WatchPosition($0, in: hub.feed) }
            ?? WatchPosition(after: hub.feed.last())
        guard answer.wantsMore else { throw APIError.expectedMore }
        let watcher = Watcher(answer, service, hub, from: position)
        hub.add(watcher)
        answer.stream(watcher)
    }
}
