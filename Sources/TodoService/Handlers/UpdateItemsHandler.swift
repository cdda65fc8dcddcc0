internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateItemsHandler: Handler {
    let service: ServiceContext
    let backgroundChanges: BackgroundChangeQueue

    func handle(_ parameters: UpdateItems.Parameters, _ answer: Answer<UpdateItems>) throws {
        let seen = try Self.guardMoment(of: parameters)
        let appended = try Self.appendedNotes(of: parameters)
        let name = try parameters.name.map {
            try TypedValue.name($0, field: "name", lengths: ReminderModel.nameLengths)
        }
        let details = try ItemDetailsChange(parameters.details)
        let tags = try TagsChange(
            replacing: parameters.tags, adding: parameters.addTags, removing: parameters.removeTags)
        let links = try LinksChange(
            replacing: parameters.links, adding: parameters.addLinks, removing: parameters.removeLinks)
        let alerts = try AlertsChange(parameters.details, with: service.times)
        let parentChange = try ParentChange(
            parent: parameters.parent, before: parameters.before, after: parameters.after)
        let blockersChange = try BlockersChange(
            replacing: parameters.blockedBy, adding: parameters.addBlockedBy,
            removing: parameters.removeBlockedBy)
        let categoryChange = try CategoryChange(parameters.details)
        let change = ScheduleChange(parameters.details)
        try backgroundChanges.change(items: parameters.ids.count, answer) { service in
            var category: Category?
            var isCategoryKnown = categoryChange.isEmpty
            var schedule: Schedule?
            var tagging: TagsChange.Tagging?
            var move = try parentChange.begin(in: service.store)
            let blocking = try blockersChange.begin(in: service.store)
            let changes = try ItemEditor(service).change(parameters.ids, UpdateItems.name) { item in
                try Self.require(item, modifiedAt: seen)
                if let name { item.name = name }
                var changed = item.schedule
                try Self.naming(item, of: parameters.ids) { () throws(APIError) in
                    changed = try change.schedule(from: item.schedule, with: service.times)
                    try alerts.check(for: item, start: changed.start)
                }
                try item.change(to: changed)
                schedule = item.schedule
                // A new category is a part of the change, which has begun now.
                if !isCategoryKnown {
                    category = try categoryChange.category(in: service)
                    isCategoryKnown = true
                }
                if !categoryChange.isEmpty { item.category = category }
                try move?.apply(to: item)
                try blocking?.apply(to: item)
                try details.apply(to: item)
                // New tags are a part of the change, which has begun now.
                if tagging == nil { tagging = try tags.begin(in: service) }
                try tagging?.apply(to: item)
                try links.apply(to: item, isAlone: parameters.ids.count == 1)
                try alerts.apply(to: item)
                if let appended { item.notes = try Self.notes(of: item, with: appended) }
            }
            return UpdateItems.Reply(changes, note: try change.note(schedule, with: service.times))
        }
    }

    private static func guardMoment(of parameters: UpdateItems.Parameters) throws(APIError) -> Timestamp? {
        guard let text = parameters.ifModified else { return nil }
        guard parameters.ids.count == 1 else {
            throw .invalidValue(field: "ifModified", reason: "it works with a single item only")
        }
        if let moment = RFC3339.moment(text) { return moment }
        throw .invalidValue(field: "ifModified", reason: "expected the 'modifiedAt' of an item")
    }

    private static func appendedNotes(of parameters: UpdateItems.Parameters) throws(APIError) -> String? {
        guard let text = parameters.appendNotes else { return nil }
        guard parameters.notes == nil else {
            throw .invalidValue(
                field: "appendNotes", reason: "'notes' replaces all of them; use one of the two")
        }
        guard !text.allSatisfy(\.isWhitespace) else {
            throw .invalidValue(field: "appendNotes", reason: "it is empty")
        }
        return text
    }

    private static func notes(of item: ToDo, with appended: String) throws(APIError) -> String {
        guard let notes = item.notes, !notes.isEmpty else { return appended }
        let text = notes + (notes.hasSuffix("\n") ? "" : "\n") + appended
        guard text.utf8.count <= Item.notesBytesLimit else {
            throw .invalidValue(
                field: "appendNotes",
                reason: "the notes of item \(item.id) would be longer than \(Item.notesBytesLimit) bytes")
        }
        return text
    }

    /// Throws if the item was modified after `seen`.
    ///
    /// The API writes times with fewer digits than the store keeps, so their texts are compared.
    private static func require(_ item: ToDo, modifiedAt seen: Timestamp?) throws(APIError) {
        guard let seen, RFC3339.text(seen) != RFC3339.text(item.modifiedDate) else { return }
        throw .itemModified(id: item.id, modifiedAt: item.modifiedDate)
    }

    /// Runs `body`, and names the item in its error if there are several items.
    private static func naming(
        _ item: ToDo, of ids: [Int64], _ body: () throws(APIError) -> Void
    ) throws(APIError) {
        do throws(APIError) {
            try body()
        } catch .invalidValue(let field, let reason) where ids.count > 1 {
            throw .invalidValue(field: field, reason: "item \(item.id): \(reason)")
        } catch .pastDate(let field, let text, let understood, _) where ids.count > 1 {
            throw .pastDate(field: field, text: text, understood: understood, item: item.id)
        }
    }
}
