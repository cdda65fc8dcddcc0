internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct ExportHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: Export.Parameters, _ answer: Answer<Export>) throws {
        switch parameters.format ?? .json {
        case .json: stream(.json, answer)
        case .icalendar: stream(.icalendar, answer)
        case .coredata:
            let (workspace, isCut) = (workspace, answer.wantsMore)
            answer.stream(in: workspace) { try CoreDataPieces(workspace, isCut: isCut) }
        }
    }

    private func stream(_ format: ExportPieces.Format, _ answer: Answer<Export>) {
        let workspace = workspace
        let itemsPerReply = answer.wantsMore ? Export.itemsPerReply : nil
        answer.stream(in: workspace) {
            let context = workspace.context
            let categories = try context.fetch(FetchRequest<Category>(orderedBy: [FetchOrder("id")]))
                .map(ExportedCategory.init)
            let rows = try context.stream(
                FetchRequest<ToDo>(orderedBy: [FetchOrder("id")]), of: ExportedItem.columns)
            // Nothing is written between the two, so both are of one state.
            let alarms = try ExportedAlarms(context)
            return ExportPieces(
                categories, rows, alarms, format, now: workspace.now(), zone: workspace.zone,
                itemsPerReply: itemsPerReply)
        }
    }
}
