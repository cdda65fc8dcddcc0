internal import TodoAPI

struct ListCategoriesHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: Empty, _ answer: Answer<ListCategories>) throws {
        let service = service
        answer.stream(in: service) { try CategoryChunks(service) }
    }
}
