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
            let rows = try context.stream(
                FetchRequest<ToDo>(orderedBy: [FetchOrder("id")]), of: ExportedItem.columns)
            return ExportPieces(
                try ExportedCategory.all(context, beside: rows), rows,
                try ExportedAlarms(context, beside: rows), format, now: workspace.now(), zone: workspace.zone,
                itemsPerReply: itemsPerReply)
        }
    }
}
