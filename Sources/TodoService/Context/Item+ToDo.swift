internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

extension Item {
    /// Creates the item that the API shows.
    ///
    /// - Parameter local: the zone for an item without a zone of its own.
    init(_ toDo: ToDo, _ local: TimeZoneRules) {
        self.init()
        id = toDo.id
        uid = toDo.uid
        name = toDo.name
        for text in ItemField.plainTexts { self[keyPath: text.property] = toDo[text] }
        for number in ItemField.plainNumbers { self[keyPath: number.property] = toDo[number] }
        links = toDo.linkValues.map(ItemLink.init)
        priority = Int64(toDo.priority)
        due = toDo.dueTime
        start = toDo.startTime
        let schedule = toDo.schedule
        if let rule = schedule.rule {
            recurrence = rule.text
            every = schedule.words(in: local)
            afterDone = toDo.repeatFromCompletion
            occurrencesDone = rule.count == nil ? nil : Int64(toDo.occurrencesDone)
            timeZone = toDo.timeZone
        }
        completed = toDo.completed
        cancelled = toDo.isCancelled ? true : nil
        muted = toDo.doNotAlert
        category = toDo.category?.name
        categoryMuted = toDo.category?.doNotAlert == true ? true : nil
        tags = toDo.tags.map(\.name).sorted()
        parent = toDo.parent?.id
        position = toDo.place.map { Int64($0) }
        let below = toDo.children.map(\.completed)
        if !below.isEmpty {
            children = Int64(below.count)
            childrenDone = Int64(below.count { $0 })
        }
        let blockers = Array(toDo.blockers)
        blockedBy = blockers.map(\.id).sorted()
        blocks = toDo.blockedItems.map(\.id).sorted()
        blocked = blockers.contains { !$0.completed } ? true : nil
        leads = toDo.leads.map(Int64.init)
        alerts = toDo.alarmTimes.map(\.text)
        snoozedUntil = toDo.snoozedUntil
        nextAlert = toDo.nextAlertDate
        lastAlert = toDo.lastAlertDate
        createdAt = toDo.createdDate
        modifiedAt = toDo.modifiedDate
        completedAt = toDo.completedDate
    }
}

extension ItemLink {
    init(_ link: LinkValue) {
        self.init(url: link.url, title: link.title)
        mediaType = link.mediaType
        attachment = link.isAttachment ? true : nil
    }
}
