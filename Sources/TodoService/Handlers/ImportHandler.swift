internal import ObjectStore
internal import Platform
internal import Reminders
internal import Systemd
internal import TodoAPI

struct ImportHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue
    private let held = ImportUpload.Held()

    init(service: ServiceContext, backgroundChanges: BackgroundChangeQueue) {
        self.service = service
        self.backgroundChanges = backgroundChanges
    }

    /// Thrown to end a dry run, so that nothing is saved.
    private struct DryRun: Error {
        let reply: Import.Reply
    }

    func handle(_ parameters: Import.Parameters, _ answer: Answer<Import>) throws {
        let text = answer.attachment as? ImportUpload ?? ImportUpload(held)
        // A refused text is discarded, and the next call begins a new one.
        answer.attachment = nil
        try text.append(parameters.text)
        if parameters.continues == true {
            answer.attachment = text
            return answer.reply(.init())
        }
        let reader = ImportReader(service)
        // The text is released as soon as all of it is read, while this closure still exists.
        let received = Locked<String?>(text.take())
        let category = try parameters.category.map { (name) throws(APIError) in
            try TypedValue.category(name, field: "category")
        }
        let project = try parameters.project.map { (name) throws(APIError) in
            try TypedValue.category(name, field: "project")
        }
        backgroundChanges.begin(answer, keeping: text) { change in
            // Other changes can be saved while the text is examined.
            var content: (any ImportContent)? = try reader.content(
                of: received.withLock { $0.take() } ?? "", parameters.format, project: project)
            do {
                return try change.change { service in
                    let importer = try ItemImporter(service: service, defaultCategory: category ?? project)
                    return try Self.take(
                        &content, importer, in: service, change.send, isDryRun: parameters.dryRun ?? false)
                }
            } catch let end as DryRun {
                return end.reply
            }
        }
    }

    /// Imports the content in batches. It sets `content` to nil at the end, because the work after that needs the
    /// memory.
    private static func take(
        _ content: inout (any ImportContent)?, _ importer: ItemImporter, in service: ServiceContext,
        _ send: (Import.Reply) -> Void, isDryRun: Bool
    ) throws -> Import.Reply {
        defer { importer.endBatch() }
        try service.changes.changeInBatches(Import.name) { draft in
            func endBatch() throws {
                try draft.add()
                try service.store.context.save()
                importer.endBatch()
            }
            while let category = try content?.nextCategory() {
                try importer.take(category)
                if importer.isBatchFull { try endBatch() }
            }
            while let tag = try content?.nextTag() {
                try importer.take(tag)
                if importer.isBatchFull { try endBatch() }
            }
            while let view = try content?.nextView() {
                try importer.take(view)
                if importer.isBatchFull { try endBatch() }
            }
            let itemCount = content?.itemCount ?? 0
            var index = 0
            while let item = try content?.nextItem() {
                if index % Import.itemsPerReply == 0 {
                    sendProgress(of: importer, itemCount: itemCount, service: service, send: send)
                }
                index += 1
                try service.changes.checkCancelled()
                try importer.take(item)
                content?.takeRemarks().forEach(importer.remark)
                if importer.isBatchFull { try endBatch() }
            }
            try importer.takeDeferred { if importer.isBatchFull { try endBatch() } }
            content?.takeRemarks().forEach(importer.remark)
            content = nil
            sendProgress(of: importer, itemCount: itemCount, service: service, send: send)
            try endBatch()
            if isDryRun { throw DryRun(reply: importer.reply) }
        }
        service.changes.remark.map(importer.remark)
        return importer.reply
    }

    private static func sendProgress(
        of importer: ItemImporter, itemCount: Int, service: ServiceContext, send: (Import.Reply) -> Void
    ) {
        var progress = importer.progress
        progress.items = Int64(itemCount)
        send(progress)
        // A background writer cannot change a store that is written as a whole. The daemon's queue imports then, and
        // the timer of the watchdog cannot run on it.
        if service.store.configuration.kind != .sqlite { ServiceManager.notify(.watchdog) }
    }
}
