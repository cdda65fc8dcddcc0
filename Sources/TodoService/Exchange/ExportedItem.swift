internal import CivilTime
internal import ObjectStore
internal import Reminders
internal import TodoAPI

/// An item in an export as JSON.
struct ExportedItem: NamedBody {
    static let varlinkType = "ExportedItem"

    var item = ExchangeItem(uid: "", name: "")
    var lastAlert: Timestamp?
    /// The record of sent alerts, or `nil` if the file has none. Alerts that are past by now are not sent then.
    var alertState: ExportedAlertState?
    /// The additions that are written even if they are empty, so that an import removes the former values.
    var explicit: Set<ExchangeItem.Addition> = []
    /// The format of another program that cannot express all values, which decides what an import leaves as it is.
    var origin: Origin?

    enum Origin: Equatable {
        case todoTxt, taskwarrior
        /// A done line of a repeating item whose own line is another one of the file.
        case todoTxtOccurrence(itemLine: Int)
        /// Todoist does not say when a task was changed, so a known item stays as it is.
        case todoist
    }

    /// Visits the fields, in the order of JSON. All formats and the store are read and written with this list.
    mutating func visit<Fields: ExportedFieldVisitor>(_ fields: inout Fields) throws(Fields.Failure) {
        try fields.text("uid", &item.uid)
        try fields.text("name", &item.name)
        try fields.text("notes", &item.notes)
        try fields.addition(.url, &item.url)
        try fields.links(&item.links)
        try fields.number("priority", &item.priority)
        try fields.addition(.estimate, &item.estimate)
        try fields.addition(.percent, &item.percent)
        try fields.category("category", &item.category)
        try fields.tags(&item.tags)
        try fields.parent(&item.parent)
        try fields.position("position", &item.position)
        try fields.blockers(&item.blockers)
        try fields.time("due", &item.due, local: &item.localDue)
        try fields.addition(.start, &item.start, local: &item.localStart)
        try fields.leads("leads", &item.leads)
        try fields.alerts(&item.alerts)
        try fields.flag("completed", &item.isCompleted)
        try fields.cancelled(&item.isCancelled)
        try fields.flag("muted", &item.isMuted)
        try fields.moment("snoozedUntil", &item.snoozedUntil)
        try fields.keptMoment("acknowledgedDate", &item.acknowledged)
        try fields.keptMoment("lastAlert", &lastAlert)
        try fields.alertState("told", &alertState)
        try fields.rule("recurrence", &item.recurrence)
        try fields.moment("recurrenceStart", &item.recurrenceStart)
        try fields.count("occurrencesDone", &item.occurrencesDone)
        try fields.setFlag("afterDone", &item.isAfterDone)
        try fields.dates(.excludedDates, &item.excludedDates)
        try fields.dates(.addedDates, &item.addedDates)
        try fields.occurrences(&item.occurrences)
        try fields.history(&item.history)
        try fields.text("timeZone", &item.timeZone)
        try fields.keptMoment("createdAt", &item.createdDate)
        try fields.keptMoment("modifiedAt", &item.modifiedDate)
        try fields.moment("completedAt", &item.completedDate)
        try fields.remainder(&item.remainder)
    }

    mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        var json = ExportedJSON(coder: fields, explicit: explicit)
        try visit(&json)
        fields = json.coder
        item.missing = json.missing
    }
}

extension ExportedItem {
    /// Creates an item from a program that has no record of sent alerts.
    init(_ item: ExchangeItem, from origin: Origin? = nil) {
        self.item = item
        self.origin = origin
    }

    /// Checks the values and sorts the lead times. Throws an error that names the field of an invalid value.
    mutating func check(field: String) throws(APIError) {
        func require(_ number: Int, in range: ClosedRange<Int>, field name: String, unit: String)
            throws(APIError)
        {
            guard !range.contains(number) else { return }
            throw .invalidValue(
                field: "\(field).\(name)",
                reason: "expected \(range.lowerBound) to \(range.upperBound)\(unit), found \(number)")
        }
        let uidLength = item.uid.unicodeScalars.count
        guard ReminderModel.uidLengths.contains(uidLength) else {
            throw .invalidValue(
                field: "\(field).uid",
                reason: uidLength == 0
                    ? "it is empty" : "it is longer than \(ReminderModel.uidLengths.upperBound) characters")
        }
        if item.localDue?.isDate == true, item.recurrence?.isOfDays == false {
            throw .invalidValue(
                field: "\(field).recurrence",
                reason: "it has times of day, and 'due' is a date without a time")
        }
        let numbers = 0...Int(Int32.max)
        try require(item.priority, in: 0...9, field: "priority", unit: "")
        try require(item.occurrencesDone ?? 0, in: numbers, field: "occurrencesDone", unit: "")
        for (index, lead) in item.leads.enumerated() {
            try require(
                lead, in: -numbers.upperBound...numbers.upperBound, field: "leads[\(index)]", unit: " seconds"
            )
        }
        var longText = LongTextFinder()
        visit(&longText)
        if let name = longText.name {
            throw .invalidValue(
                field: "\(field).\(name)", reason: "it is longer than \(Item.notesBytesLimit) bytes")
        }
        item.url = try item.url.flatMap { (url) throws(APIError) in
            let url = try TypedValue.url(url, field: "\(field).url")
            return url.isEmpty ? nil : url
        }
        item.links = try TypedValue.links(item.links.map(ItemLink.init), field: "\(field).links")
        if let estimate = item.estimate {
            try require(estimate, in: numbers, field: "estimate", unit: " seconds")
            if estimate == 0 { item.estimate = nil }
        }
        guard item.remainder?.count ?? 0 <= ICalendarKeptText.bytesLimit else {
            throw .invalidValue(
                field: "\(field).remainder",
                reason: "it is longer than \(ICalendarKeptText.bytesLimit) bytes")
        }
        if item.isCancelled, !item.isCompleted {
            throw .invalidValue(field: "\(field).cancelled", reason: "the item is not completed")
        }
        try checkOccurrences(field: field)
        try require(item.percent, in: 0...100, field: "percent", unit: "")
        item.tags = try TypedValue.tags(item.tags, field: "\(field).tags").sorted()
        for uid in item.blockers + [item.parent].compactMap(\.self)
        where !ReminderModel.uidLengths.contains(uid.unicodeScalars.count) {
            throw .invalidValue(
                field: "\(field).\(item.blockers.contains(uid) ? "blockedBy" : "parent")",
                reason: "a uid has 1 to \(ReminderModel.uidLengths.upperBound) characters")
        }
        item.blockers = Set(item.blockers).sorted()
        let leads = Set(item.leads)
        item.leads = leads.sorted(by: >)
        alertState?.leads.removeAll { !leads.contains(Int($0.lead)) }
        guard item.leads.count <= Item.leadsLimit else {
            throw .invalidValue(field: "\(field).leads", reason: "an item has at most \(Item.leadsLimit)")
        }
        item.alerts = Set(item.alerts).sorted()
        guard item.alerts.count <= Item.alertsLimit else {
            throw .invalidValue(field: "\(field).alerts", reason: "an item has at most \(Item.alertsLimit)")
        }
    }

    /// Ends a snooze that has no effect: the snooze of a completed item, or one that has ended.
    ///
    /// The snooze stays if the file has a record of sent alerts, or if the store has the same snooze.
    mutating func endVoidSnooze(at now: Timestamp, known: Timestamp?) {
        guard alertState == nil, let end = item.snoozedUntil else { return }
        let isPending = known.map { $0.secondsSince1970.rounded(.down) == end.secondsSince1970 || $0 == end }
        if item.isCompleted || end <= now, isPending != true { item.snoozedUntil = nil }
    }

    /// Whether it is snoozed until a time that is not after `alert`.
    func hasSnoozed(until alert: Timestamp?) -> Bool {
        guard let end = item.snoozedUntil, let alert else { return false }
        return end <= alert
    }

    /// Whether it records a sent alert that the other state of the item does not record.
    func hasSentAlerts(missingIn other: ExportedItem) -> Bool {
        guard alertState != nil else { return false }
        var sum = self
        sum.addAlertState(of: other)
        let isKnown =
            sum.alertState?.due == other.alertState?.due && sum.alertState?.leads == other.alertState?.leads
            && sum.alertState?.alerts == other.alertState?.alerts
        return !isKnown || sum.lastAlert != other.lastAlert
    }

    /// Adds the sent alerts of another state of the item. Does nothing to an item without a record of sent alerts.
    mutating func addAlertState(of other: ExportedItem) {
        guard alertState != nil, let others = other.alertState else { return }
        alertState?.add(others, present: item.due)
        lastAlert = [lastAlert, other.lastAlert].compactMap(\.self).max()
    }
}

/// A visitor that finds a text that is longer than any notes may be.
private struct LongTextFinder: StoredFieldVisitor {
    var name: String?

    mutating func stored(
        _ name: String, _ value: inout some AttributeValueConvertible, keepsMissing: Bool
    ) {}

    mutating func addition(_ addition: ExchangeItem.Addition, _ text: inout String?) {}

    mutating func text(_ name: String, _ text: inout String?) {
        if let text, text.utf8.count > Item.notesBytesLimit { self.name = name }
    }
}
