internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import Systemd
internal import TodoAPI
internal import Varlink

struct ImportHandler: Handler {
    let workspace: Workspace
    private let held = ImportText.Held()

    init(workspace: Workspace) { self.workspace = workspace }

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
        let (content, remarks) = try read(text.text, parameters.format ?? .json)
        do {
            let importer = try ItemImporter(workspace: workspace)
            defer { importer.finish() }
            var reply = try workspace.change(Import.name, notesModifications: false) {
                let reply = try take(content, importer, answer)
                if parameters.dryRun == true {
                    try workspace.context.validateChanges()
                    throw DryRun(reply: reply)
                }
                return reply
            }
            reply.remarks = remarks + [workspace.remark].compactMap(\.self)
            answer.reply(reply)
            workspace.itemsDidChange()
        } catch let end as DryRun {
            var reply = end.reply
            reply.remarks = remarks
            answer.reply(reply)
        }
    }

    private func take(
        _ content: ExportedStore, _ importer: ItemImporter, _ answer: Answer<Import>
    ) throws -> Import.Reply {
        for (index, category) in content.categories.enumerated() {
            try importer.take(category, field: "categories[\(index)].name")
        }
        for (index, item) in content.items.enumerated() {
            if index % Import.itemsPerReply == 0 { tell(importer.reply, of: content.items.count, answer) }
            try importer.take(item, field: "items[\(index)]")
        }
        tell(importer.reply, of: content.items.count, answer)
        return importer.reply
    }

    /// Tells the client how far it has come, and systemd that this is no daemon that hangs: very many items take longer
    /// than such a one is given.
    private func tell(_ reply: Import.Reply, of items: Int, _ answer: Answer<Import>) {
        if ServiceManager.watchdogMicroseconds != nil { ServiceManager.notify(.watchdog) }
        var progress = reply
        progress.items = Int64(items)
        answer.tell(progress)
    }

    // MARK: - Formats

    private func read(_ text: String, _ format: Import.Format) throws -> (ExportedStore, remarks: [String]) {
        switch format {
        case .json: return (try readOwn(text), [])
        case .taskwarrior:
            let (items, remarks) = try TaskwarriorReader.read(try json(text))
            return (store(of: items), remarks)
        case .coredata:
            return (try CoreDataReader.read(text, in: workspace.workDirectory()), [])
        case .icalendar:
            do throws(ICalendarReader.Failure) {
                let reading = try ICalendarReader.read(
                    text, zone: workspace.zone, defaultTime: workspace.configuration.defaultTime)
                return (store(of: reading.items), reading.remarks.map(\.description))
            } catch {
                throw APIError.invalidValue(field: "text", reason: "\(error)")
            }
        }
    }

    private func readOwn(_ text: String) throws -> ExportedStore {
        guard case .object(let object) = try json(text), object["todod"] != nil else {
            throw APIError.invalidValue(field: "text", reason: "expected what 'todoctl export' writes")
        }
        let content = try FieldReader.read(ExportedStore.self, from: object)
        guard content.version == ExportedStore.version else {
            throw APIError.invalidValue(
                field: "todod",
                reason: "this file is of version \(content.version); known is \(ExportedStore.version)")
        }
        return content
    }

    private func json(_ text: String) throws(APIError) -> JSON {
        do throws(JSONError) {
            return try JSONParser.parse(text.utf8)
        } catch {
            throw .invalidValue(field: "text", reason: "it is not JSON: \(error)")
        }
    }

    private func store(of items: [ExchangeItem]) -> ExportedStore {
        var store = ExportedStore()
        store.items = items.map { item in
            var exported = ExportedItem()
            exported.item = item
            return exported
        }
        return store
    }
}
