internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct UpdateItemHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: UpdateItem.Parameters, _ answer: Answer<UpdateItem>) throws {
        let name = try parameters.name.map {
            try Workspace.name($0, field: "name", lengths: ReminderModel.nameLengths)
        }
        let wish = DueWish(
            due: parameters.due, every: parameters.every, afterDone: parameters.afterDone,
            timeZone: parameters.timeZone, mayBePast: parameters.past ?? false)
        let category = try parameters.category.map { try $0.isEmpty ? nil : workspace.category(named: $0) }
        let leads = try parameters.leads.map(Workspace.leads)
        let priority = try parameters.priority.map(Workspace.priority)
        let seen = try parameters.ifModified.map(Self.moment)
        let items = try workspace.changeItems([parameters.id], UpdateItem.name) { item in
            try Self.require(item, modifiedAt: seen)
            if let name { item.name = name }
            item.schedule = try wish.schedule(from: item.schedule, in: workspace)
            if let category { item.category = category }
            if let notes = parameters.notes { item.notes = notes.isEmpty ? nil : notes }
            if let priority { item.priority = priority }
            if let leads { try item.setLeads(leads) }
            if let muted = parameters.muted { item.doNotAlert = muted }
        }
        for item in items { answer.reply(.init(item: item)) }
        workspace.itemsDidChange()
    }

    private static func moment(_ text: String) throws(APIError) -> Timestamp {
        if let moment = RFC3339.moment(text) { return moment }
        throw .invalidValue(field: "ifModified", reason: "expected the 'modifiedAt' of an item")
    }

    /// Both as the API writes them: the store keeps moments more finely.
    private static func require(_ item: ToDo, modifiedAt seen: Timestamp?) throws(APIError) {
        guard let seen, RFC3339.text(seen) != RFC3339.text(item.modifiedDate) else { return }
        throw .itemModified(id: item.id, modifiedAt: item.modifiedDate)
    }
}
