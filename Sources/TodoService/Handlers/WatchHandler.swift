internal import TodoAPI

struct WatchHandler: Handler {
    let service: ServiceContext
    let hub: WatchHub

    func handle(_ parameters: Empty, _ answer: Answer<Watch>) throws {
        guard answer.wantsMore else { throw APIError.expectedMore }
        let watcher = try Watcher(answer, service)
        hub.add(watcher)
        answer.stream(watcher)
    }
}
