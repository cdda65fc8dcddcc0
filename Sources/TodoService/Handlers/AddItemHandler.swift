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
        var note = try change.note(schedule, with: service.times)
        let category = try parameters.category.map(service.store.category)
        let details = try ItemDetailsChange(parameters.details)
        let tags = try TagsChange(replacing: parameters.tags)
        let links = try LinksChange(replacing: parameters.links)
        guard details.leads?.isEmpty ?? true || schedule.due != nil else {
            throw APIError.invalidValue(
                field: "leads", reason: "an item without 'due' cannot have lead times")
        }
        let zone = try service.times.zone(named: parameters.timeZone)
        var timeInName: String?
        var dueInName: CalendarTime?
        // A category after the time, as in `Buy milk tomorrow @Home`, does not hide it.
        let plainName = NameOption.removed(from: name)
        let day = schedule.localDue?.isDate == true ? schedule.localDue : nil
        let found =
            schedule.due == nil && parameters.start == nil || day != nil
            ? TrailingTime.find(in: plainName, now: service.times.now(), zone: zone) : nil
        switch found {
        // `--due friday 9am` without quotation marks leaves the time in the name.
        case .time(let text)? where day != nil:
            guard DatePhrase.namesNoDay(text), let day else { break }
            dueInName = try due("\(day.text) \(text)", zone)
            timeInName = dueInName == nil ? nil : text
        case .rule? where day != nil, .refused? where day != nil: break
        case .time(let text)?:
            dueInName = try due(text, zone)
            if dueInName == nil {
                note = "'\(text)' in the name is not used as the due time: it is in the past"
            } else {
                timeInName = text
            }
        case .rule(let text)?: timeInName = text
        case .refused(let text, let reason)?:
            note = "'\(text)' in the name is not used as the due time: \(reason)"
        case nil: break
        }
        let item = try service.changes.change(AddItem.name) {
            let item = try service.store.context.insertToDo(at: service.times.now())
            item.name = name
            item.schedule = schedule
            item.category = category
            try details.apply(to: item)
            try tags.begin(in: service)?.apply(to: item)
            try links.apply(to: item, isAlone: true)
            return item
        }
        answer.reply(
            ofChange: .init(
                item: Item(item, service.times.zone), timeInName: timeInName, dueInName: dueInName, note: note
            ))
        service.events.itemsDidChange()
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
