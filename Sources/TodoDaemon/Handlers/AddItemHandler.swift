internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

struct AddItemHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: AddItem.Parameters, _ answer: Answer<AddItem>) throws {
        let name = try Workspace.name(parameters.name, field: "name", lengths: ReminderModel.nameLengths)
        let due = try parameters.due.map { try dueTime($0, parameters) }
        let category = try parameters.category.map(workspace.category)
        let item = try workspace.change {
            let item = try workspace.context.insertToDo(at: workspace.now())
            item.name = name
            item.dueDate = due
            item.doNotAlert = parameters.muted ?? false
            item.category = category
            return Item(item)
        }
        answer.reply(.init(item: item))
        workspace.itemsDidChange()
    }

    private func dueTime(_ text: String, _ parameters: AddItem.Parameters) throws(APIError) -> Timestamp {
        let due = try workspace.moment(
            text, field: "due", in: workspace.zone(named: parameters.timeZone),
            defaultTime: workspace.configuration.defaultTime)
        if due < workspace.now(), parameters.past != true {
            throw .pastDate(field: "due", text: text, understood: due)
        }
        return due
    }
}
