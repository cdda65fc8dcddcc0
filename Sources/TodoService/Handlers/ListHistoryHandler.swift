internal import TodoAPI

struct ListHistoryHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: ListHistory.Parameters, _ answer: Answer<ListHistory>) throws {
        let (service, hasMore) = (service, answer.wantsMore)
        let query = try HistoryQuery(parameters, service)
        answer.stream(in: service) { try HistoryChunks(query, service, hasMore: hasMore) }
    }
}
