internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

struct AddItemHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: AddItem.Parameters, _ answer: Answer<AddItem>) throws {
        let name = try TypedValue.name(parameters.name, field: "name", lengths: ReminderModel.nameLengths)
        let change = ScheduleChange(parameters.details)
        let schedule = try change.schedule(from: Schedule(), with: service.times)
        let note = try change.note(schedule, with: service.times)
        let category = try parameters.category.map(service.store.category)
        let details = try ItemDetailsChange(parameters.details)
        let tags = try TagsChange(replacing: parameters.tags)
        let links = try LinksChange(replacing: parameters.links)
        let parentChange = try ParentChange(parent: parameters.parent)
        let blockers = try BlockersChange(replacing: parameters.blockedBy)
        guard details.leads?.isEmpty ?? true || schedule.due != nil else {
            throw APIError.invalidValue(
                field: "leads", reason: "an item without 'due' cannot have lead times")
        }
        let found = try timeInName(name, beside: schedule, parameters)
        let item = try service.changes.change(AddItem.name) {
            let item = try service.store.context.insertToDo(at: service.times.now())
            item.name = name
            item.schedule = schedule
            var move = try parentChange.begin(in: service.store)
            item.category = category ?? move?.parent?.category
            try move?.apply(to: item)
            try blockers.begin(in: service.store)?.apply(to: item)
            try details.apply(to: item)
            try tags.begin(in: service)?.apply(to: item)
            try links.apply(to: item, isAlone: true)
            return item
        }
        answer.reply(
            ofChange: .init(
                item: Item(item, service.times.zone), timeInName: found.text, dueInName: found.due,
                note: found.note ?? note
            ))
        service.events.itemsDidChange()
    }

    /// A time or a rule at the end of a name, or the note that it is not used.
    private struct TimeInName {
        var text: String?
        /// The time, or `nil` for a rule.
        var due: CalendarTime?
        var note: String?
    }

    /// Finds the time that the user may have meant as the due time.
    private func timeInName(
        _ name: String, beside schedule: Schedule, _ parameters: AddItem.Parameters
    ) throws(APIError) -> TimeInName {
        // A category after the time, as in `Buy milk tomorrow @Home`, does not hide it.
        let name = NameOption.removed(from: name)
        let zone = try service.times.zone(named: parameters.timeZone)
        let isWithoutTimes = schedule.due == nil && parameters.start == nil
        guard isWithoutTimes || schedule.localDue?.isDate == true,
            let found = TrailingTime.find(in: name, now: service.times.now(), zone: zone)
        else { return TimeInName() }
        switch (found, schedule.localDue) {
        case (.time(let text), let day?):
            // `--due friday 9am` without quotation marks leaves the time in the name.
            guard DatePhrase.namesNoDay(text), let due = try due("\(day.text) \(text)", zone) else { break }
            return TimeInName(text: text, due: due)
        case (_, _?): break
        case (.time(let text), nil):
            if let due = try due(text, zone) { return TimeInName(text: text, due: due) }
            return TimeInName(note: "'\(text)' in the name is not used as the due time: it is in the past")
        case (.rule(let text), nil): return TimeInName(text: text)
        case (.refused(let text, let reason), nil):
            return TimeInName(note: "'\(text)' in the name is not used as the due time: \(reason)")
        }
        return TimeInName()
    }

    /// Returns the time that the end of the name means, or `nil` if it is in the past.
    private func due(_ timeInName: String, _ zone: TimeZoneRules) throws(APIError) -> CalendarTime? {
        let now = service.times.now()
        let reading = try service.times.reading(
            timeInName, field: "name", at: now, in: zone, defaultTime: CivilDateTime.secondsPerDay - 1)
        guard reading.moment > now else { return nil }
        guard reading.isDayAlone, let civil = zone.civil(at: reading.moment) else {
            return .moment(reading.moment)
        }
        return .local(.date(civil.date))
    }
}
