internal import ObjectStore
internal import Reminders
internal import Systemd
internal import TodoAPI

struct ImportHandler: Handler {
    let workspace: Workspace
    let longChanges: LongChanges
    private let held = ImportText.Held()

    init(workspace: Workspace, longChanges: LongChanges) {
        self.workspace = workspace
        self.longChanges = longChanges
    }

    /// Ends a dry run, so that nothing of it is kept.
    private struct DryRun: Error {
        let reply: Import.Reply
    }

    func handle(_ parameters: Import.Parameters, _ answer: Answer<Import>) throws {
        let text = answer.attachment as? ImportText ?? ImportText(held)
        // What is refused is forgotten: the next call begins anew.
        answer.attachment = nil
        try text.append(parameters.text)
        if parameters.continues == true {
            answer.attachment = text
            return answer.reply(.init())
        }
        let reader = ImportReader(workspace)
        longChanges.begin(answer, keeping: text) { [text = text.text] change in
            // Others can change the store while the text is read.
            let (content, remarks) = try reader.read(text, parameters.format ?? .json)
            var reply: Import.Reply
            do {
                reply = try change.change { workspace in
                    try Self.take(content, in: workspace, change.tell, isDryRun: parameters.dryRun ?? false)
                }
            } catch let end as DryRun {
                reply = end.reply
            }
            reply.remarks = remarks + reply.remarks
            return reply
        }
    }

    private static func take(
        _ content: ExportedStore, in workspace: Workspace, _ tell: (Import.Reply) -> Void, isDryRun: Bool
    ) throws -> Import.Reply {
        let importer = try ItemImporter(workspace: workspace)
        defer { importer.finish() }
        var reply = try workspace.change(Import.name, notesModifications: false) {
            let reply = try take(content, importer, workspace, tell)
            guard isDryRun else { return reply }
            try workspace.context.validateChanges()
            throw DryRun(reply: reply)
        }
        reply.remarks = [workspace.remark].compactMap(\.self)
        return reply
    }

    private static func take(
        _ content: ExportedStore, _ importer: ItemImporter, _ workspace: Workspace,
        _ tell: (Import.Reply) -> Void
    ) throws -> Import.Reply {
        var progress: Import.Reply {
            var progress = importer.reply
            progress.items = Int64(content.items.count)
            return progress
        }
        for (index, category) in content.categories.enumerated() {
            try importer.take(category, field: "categories[\(index)].name")
        }
        for (index, item) in content.items.enumerated() {
            if index % Import.itemsPerReply == 0 {
                tell(progress)
                // A store that is written whole cannot be lent: then the daemon's queue does this, and has no time to say
                // that it does not hang.
                if workspace.store.kind != .sqlite { ServiceManager.notify(.watchdog) }
            }
            try workspace.goOn()
            try importer.take(item, field: "items[\(index)]")
        }
        tell(progress)
        return importer.reply
    }
}
