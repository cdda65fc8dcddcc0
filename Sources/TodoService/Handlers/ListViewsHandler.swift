internal import TodoAPI

struct ListViewsHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: Empty, _ answer: Answer<ListViews>) throws {
        let service = service
        answer.stream(in: service) { try ViewChunks(service) }
    }
}
