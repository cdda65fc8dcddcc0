internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

struct AddItemHandler: Handler {
    let workspace: Workspace

    func handle(_ parameters: AddItem.Parameters, _ answer: Answer<AddItem>) throws {
        let name = try Workspace.name(parameters.name, field: "name", lengths: ReminderModel.nameLengths)
        let change = ScheduleChange(parameters.details)
        let schedule = try change.schedule(from: Schedule(), in: workspace)
        var note = try change.note(first: schedule.due, in: workspace)
        let category = try parameters.category.map(workspace.category)
        let leads = try parameters.leads.map(Workspace.leads) ?? []
        guard leads.isEmpty || schedule.due != nil else {
            throw APIError.invalidValue(
                field: "leads", reason: "an item without 'due' cannot have lead times")
        }
        let priority = try parameters.priority.map(Workspace.priority) ?? 0
        let zone = try workspace.zone(named: parameters.timeZone)
        var timeInName: String?
        var dueInName: Timestamp?
        // A category after the time, as in `Buy milk tomorrow @Home`, does not hide it.
        let plainName = NameOption.removed(from: name)
        switch schedule.due == nil ? TrailingTime.find(in: plainName, now: workspace.now(), zone: zone) : nil
        {
        case .time(let text)?:
            dueInName = try due(text, zone)
            if dueInName == nil {
                note = "'\(text)' in the name is not used as the due time: its default time has passed"
            } else {
                timeInName = text
            }
        case .rule(let text)?: timeInName = text
        case .refused(let text, let reason)?:
            note = "'\(text)' in the name is not used as the due time: \(reason)"
        case nil: break
        }
        let item = try workspace.change(AddItem.name) {
            let item = try workspace.context.insertToDo(at: workspace.now())
            item.name = name
            item.schedule = schedule
            item.doNotAlert = parameters.muted ?? false
            item.category = category
            item.notes = parameters.notes.flatMap { $0.isEmpty ? nil : $0 }
            item.priority = priority
            try item.setLeads(leads)
            return item
        }
        answer.reply(
            ofChange: .init(
                item: Item(item, workspace.zone), timeInName: timeInName, dueInName: dueInName, note: note))
        workspace.itemsDidChange()
    }

    /// Returns the time that the end of the name means, or `nil` if the default time of that day has passed.
    private func due(_ timeInName: String, _ zone: TimeZoneRules) throws(APIError) -> Timestamp? {
        let moment = try workspace.reading(
            timeInName, field: "name", in: zone, defaultTime: workspace.settings.defaultTime
        ).moment
        return moment > workspace.now() ? moment : nil
    }
}
