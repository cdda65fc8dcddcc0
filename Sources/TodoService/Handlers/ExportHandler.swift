internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ExportHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: Export.Parameters, _ answer: Answer<Export>) throws {
        switch parameters.format ?? .json {
        case .json: stream(.json, answer)
        case .icalendar: stream(.icalendar, answer)
        case .todotxt: stream(.todotxt, answer)
        case .taskwarrior: stream(.taskwarrior, answer)
        case .coredata:
            let (service, allowsManyReplies) = (service, answer.wantsMore)
            answer.stream(in: service) { try CoreDataChunks(service, allowsManyReplies: allowsManyReplies) }
        }
    }

    private func stream(_ format: ExportChunks.Format, _ answer: Answer<Export>) {
        let service = service
        let itemsPerReply = answer.wantsMore ? Export.itemsPerReply : nil
        answer.stream(in: service) {
            let context = service.store.context
            let rows = try context.stream(
                ToDo.all.ordered(by: \.id),
                of: ExportedItem.columns(hasTags: try service.store.hasTags))
            return ExportChunks(
                categories: try ExportedCategory.all(context, beside: rows),
                tags: try ExportedTag.all(context, beside: rows),
                views: try ExportedView.all(context, beside: rows), rows: rows,
                alarms: try .alarms(context, beside: rows), links: try .links(context, beside: rows),
                completions: try .completions(context, beside: rows),
                occurrences: try .occurrences(context, beside: rows),
                used: try UsedAdditions(context, beside: rows), format: format, now: service.times.now(),
                zone: service.times.zone, timeOfDates: service.times.defaultTime,
                itemsPerReply: itemsPerReply)
        }
    }
}
