internal import CivilTime
internal import ObjectStore
internal import Phrases
internal import Reminders
internal import TodoAPI

struct AddItemHandler: Handler {
    let service: ServiceContext

    func handle(_ parameters: AddItem.Parameters, _ answer: Answer<AddItem>) throws {
        var parameters = parameters
        parameters.name = try name(parameters.name)
        let entry = try parameters.quick == true ? entry(of: &parameters) : nil
        let parts = try entry?.parts.map(part)
        let addition = try Addition(parameters, service)
        if parameters.dryRun == true {
            return answer.reply(
                .init(
                    item: addition.preview(in: service.times.zone), parts: parts, problem: entry?.problem,
                    note: addition.note))
        }
        let item = try service.changes.change(AddItem.name) {
            let item = try service.store.context.insertToDo(at: service.times.now())
            item.name = parameters.name
            item.schedule = addition.schedule
            var move = try addition.parent.begin(in: service.store)
            let category = try addition.category.category(in: service)
            item.category = category ?? move?.parent?.category
            try move?.apply(to: item)
            try addition.blockers.begin(in: service.store)?.apply(to: item)
            try addition.details.apply(to: item)
            try addition.tags.begin(in: service)?.apply(to: item)
            try addition.links.apply(to: item, isAlone: true)
            try addition.alerts.check(for: item, start: addition.schedule.start)
            try addition.alerts.apply(to: item)
            return item
        }
        answer.reply(
            ofChange: .init(
                item: Item(item, service.times.zone), parts: parts, problem: entry?.problem,
                note: addition.note))
        service.events.itemsDidChange()
    }

    private func name(_ text: String) throws(APIError) -> String {
        try TypedValue.name(text, field: "name", lengths: ReminderModel.nameLengths)
    }

    /// Reads the properties in the name, and moves them to the other parameters.
    private func entry(of parameters: inout AddItem.Parameters) throws -> QuickEntry {
        let entry = QuickEntry(parameters.name, try context(parameters))
        parameters.name = try name(entry.name)
        for part in entry.parts {
            switch part.kind {
            case .due: parameters.due = part.value
            case .start: parameters.start = part.value
            case .every: parameters.every = part.value
            case .category:
                parameters.category = part.value
                // A category that the name gives may be added after the dry run.
                if parameters.dryRun == true { parameters.newCategory = true }
            case .tag: parameters.tags = (parameters.tags ?? []) + [part.value]
            case .priority: parameters.priority = Int64(part.value)
            }
        }
        return entry
    }

    private func context(_ parameters: AddItem.Parameters) throws(APIError) -> QuickEntry.Context {
        let typed: [(NameOption.Kind, Bool)] = [
            (.due, parameters.due != nil), (.start, parameters.start != nil),
            (.every, parameters.every != nil), (.category, parameters.category != nil),
            (.priority, parameters.priority != nil),
        ]
        var day: CivilDate?
        if parameters.due != nil {
            let schedule = try ScheduleChange(parameters.details).schedule(
                from: Schedule(), with: service.times)
            if case .date(let date)? = schedule.localDue { day = date }
        }
        return .init(
            now: service.times.now(), zone: try service.times.zone(named: parameters.timeZone),
            typed: Set(typed.filter(\.1).map(\.0)), day: day)
    }

    private func part(_ part: QuickEntry.Part) throws -> TextPart {
        let isNew = try part.kind == .category && service.store.findCategory(named: part.value) == nil
        return TextPart(
            kind: TextPart.Kind(rawValue: part.kind.rawValue) ?? .tag, text: part.text, value: part.value,
            words: part.words.map(Int64.init), isNew: isNew ? true : nil)
    }
}

/// The checked values of a new item.
private struct Addition {
    let schedule: Schedule
    let details: ItemDetailsChange
    let tags: TagsChange
    let links: LinksChange
    let alerts: AlertsChange
    let parent: ParentChange
    let blockers: BlockersChange
    let note: String?
    let category: CategoryChange
    /// The name of the category for a preview, also if the category does not exist yet.
    private let categoryName: String?
    private let parameters: AddItem.Parameters

    init(_ parameters: AddItem.Parameters, _ service: ServiceContext) throws {
        self.parameters = parameters
        let change = ScheduleChange(parameters.details)
        schedule = try change.schedule(from: Schedule(), with: service.times)
        note = try change.note(schedule, with: service.times)
        category = try CategoryChange(parameters.details)
        categoryName = try category.previewedName(in: service)
        details = try ItemDetailsChange(parameters.details)
        tags = try TagsChange(replacing: parameters.tags)
        links = try LinksChange(replacing: parameters.links)
        alerts = try AlertsChange(parameters.details, with: service.times)
        parent = try ParentChange(parent: parameters.parent)
        blockers = try BlockersChange(replacing: parameters.blockedBy)
        guard details.leads?.isEmpty ?? true || schedule.due != nil else {
            throw APIError.invalidValue(
                field: "leads", reason: "an item without 'due' cannot have lead times")
        }
    }

    /// Returns the item with the fields that are known before it is added.
    func preview(in zone: TimeZoneRules) -> Item {
        var item = Item()
        item.name = parameters.name
        item.due = schedule.dueTime
        item.start = schedule.start
        item.recurrence = schedule.rule?.text
        item.every = schedule.words(in: zone)
        item.afterDone = parameters.afterDone
        item.category = categoryName
        item.tags = parameters.tags
        item.priority = parameters.priority ?? 0
        return item
    }
}
