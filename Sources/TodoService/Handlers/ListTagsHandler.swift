internal import TodoAPI

struct ListTagsHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: Empty, _ answer: Answer<ListTags>) throws {
        let service = service
        answer.stream(in: service) { try TagChunks(service) }
    }
}
