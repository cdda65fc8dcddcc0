package import CivilTime

/// An item in the API.
///
/// `ItemField` describes its fields.
package struct Item: NamedBody, Hashable {
    package static let varlinkType = "Item"
    /// The maximum number of lead times of an item, which is more than anyone needs.
    package static let leadsLimit = 16
    /// The maximum number of alerts of an item in addition to those of its lead times.
    package static let alertsLimit = 16
    /// The maximum size of the notes. It equals the maximum size of a message, and also applies to imported
    /// items.
    package static let notesBytesLimit = 1 << 20

    package var id: Int64 = 0
    package var uid = ""
    package var name = ""
    package var notes: String?
    package var url: String?
    /// The links, in their order. Lists include this field only on request.
    package var links: [ItemLink]?
    /// The priority from 1, the highest, to 9, or 0 for none.
    package var priority: Int64 = 0
    /// The expected duration of the work in seconds.
    package var estimate: Int64?
    /// The part of the work that is done, from 1 to 100, or `nil` for 0.
    ///
    /// It stays as it is when the item is completed.
    package var percent: Int64?
    package var due: CalendarTime?
    /// The time before which lists omit the item.
    package var start: CalendarTime?
    /// The rule of a repeating item as an RRULE, or `nil` if the item does not repeat.
    package var recurrence: String?
    /// The rule in words, or `nil` if the item does not repeat.
    package var every: String?
    /// Whether the next occurrence is counted from when the item is done, instead of from its due time. Lists
    /// include this field and the next two only on request.
    package var afterDone: Bool?
    /// The number of past occurrences, if the rule counts them.
    package var occurrencesDone: Int64?
    /// The IANA name of the time zone of the occurrences.
    package var timeZone: String?
    package var completed = false
    /// Whether the item was completed by cancelling it in another program; `nil` if it was not.
    package var cancelled: Bool?
    package var muted = false
    package var category: String?
    /// Whether alerts for the item's category are turned off, or `nil` if they are not.
    package var categoryMuted: Bool?
    /// The names of the tags, sorted. Lists include this field only on request.
    package var tags: [String]?
    /// The number of the item of which this one is a subtask.
    package var parent: Int64?
    /// The order among the subtasks of the parent, or `nil` for one after those with a position. The numbers have gaps.
    package var position: Int64?
    /// The number of subtasks directly below the item, or `nil` for 0. Lists include this field and the next one only on
    /// request.
    package var children: Int64?
    /// The number of these that are completed, or `nil` if there are no subtasks.
    package var childrenDone: Int64?
    /// The numbers of the items that have to be completed before this one. Lists include this field and the next two only
    /// on request.
    package var blockedBy: [Int64]?
    /// The numbers of the items that wait for this one.
    package var blocks: [Int64]?
    /// Whether an item that has to be completed before this one is open, or `nil` if there is none.
    package var blocked: Bool?
    /// The lead times in seconds, in the order of their alerts. One after the due time is negative. If there are none, the
    /// default lead time applies. Lists include this field only on request.
    package var leads: [Int64]?
    /// The alerts in addition to those of the lead times: moments, or times such as `15min before start`. Lists include
    /// this field only on request.
    package var alerts: [String]?
    package var snoozedUntil: Timestamp?
    /// The item's next alert time, regardless of whether alerts are delayed then.
    package var nextAlert: Timestamp?
    /// The time at which the next alert is actually sent, if it is later than `nextAlert`. Lists include this
    /// field only on request.
    package var heldUntil: Timestamp?
    package var lastAlert: Timestamp?
    package var createdAt: Timestamp?
    package var modifiedAt: Timestamp?
    package var completedAt: Timestamp?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("id", &id)
        try fields.field("uid", &uid)
        try fields.field("name", &name)
        try fields.field("notes", &notes)
        try fields.field("url", &url)
        try fields.field("links", &links)
        try fields.field("priority", &priority)
        try fields.field("estimate", &estimate)
        try fields.field("percent", &percent)
        try fields.field("due", &due)
        try fields.field("start", &start)
        try fields.field("recurrence", &recurrence)
        try fields.field("every", &every)
        try fields.field("afterDone", &afterDone)
        try fields.field("occurrencesDone", &occurrencesDone)
        try fields.field("timeZone", &timeZone)
        try fields.field("completed", &completed)
        try fields.field("cancelled", &cancelled)
        try fields.field("muted", &muted)
        try fields.field("category", &category)
        try fields.field("categoryMuted", &categoryMuted)
        try fields.field("tags", &tags)
        try fields.field("parent", &parent)
        try fields.field("position", &position)
        try fields.field("children", &children)
        try fields.field("childrenDone", &childrenDone)
        try fields.field("blockedBy", &blockedBy)
        try fields.field("blocks", &blocks)
        try fields.field("blocked", &blocked)
        try fields.field("leads", &leads)
        try fields.field("alerts", &alerts)
        try fields.field("snoozedUntil", &snoozedUntil)
        try fields.field("nextAlert", &nextAlert)
        try fields.field("heldUntil", &heldUntil)
        try fields.field("lastAlert", &lastAlert)
        try fields.field("createdAt", &createdAt)
        try fields.field("modifiedAt", &modifiedAt)
        try fields.field("completedAt", &completedAt)
    }
}

/// The properties of an item that a client can set. A change leaves omitted properties unchanged.
package struct ItemDetails: Hashable, Sendable {
    /// The due time, as typed text or in RFC 3339 form.
    package var due: String?
    /// Whether the due time is the same time of day in each time zone, as `2026-11-27T20:00:00` in the API.
    package var floating: Bool?
    /// The time before which lists omit the item, as typed text.
    package var start: String?
    /// The repetition, as typed text such as `mon,wed` or as an RRULE of RFC 5545.
    package var every: String?
    /// The hours of the day in which a rule finer than daily repeats, such as `9:00-18:00`.
    package var between: String?
    /// Whether the next occurrence is counted from when the item is done, instead of from its due time.
    package var afterDone: Bool?
    /// The IANA name of the time zone in which `due` was typed and in which a repeating item repeats.
    package var timeZone: String?
    package var category: String?
    /// Whether a category that does not exist is added with the item.
    package var newCategory: Bool?
    /// The names of the tags. Tags that do not exist are added.
    package var tags: [String]?
    /// The number of the item of which this one becomes a subtask, or 0 for none.
    package var parent: Int64?
    /// The numbers of the items that have to be completed before, which replace all former ones.
    package var blockedBy: [Int64]?
    package var muted: Bool?
    package var notes: String?
    package var url: String?
    /// The links, which replace all former ones.
    package var links: [ItemLink]?
    package var priority: Int64?
    /// The expected duration of the work, such as `1h30m`.
    package var estimate: String?
    /// The part of the work that is done, from 0 to 100.
    package var percent: Int64?
    /// The lead times of the alerts, such as `1d, 1h, 5m` or `10m after`.
    package var leads: String?
    /// The alerts in addition to those of the lead times, which replace all former ones: typed times, or texts such as
    /// `15min before start`.
    package var alerts: [String]?
    /// Whether a due time in the past is accepted.
    package var past: Bool?

    package init() {}

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("due", &due)
        try fields.field("floating", &floating)
        try fields.field("start", &start)
        try fields.field("every", &every)
        try fields.field("between", &between)
        try fields.field("afterDone", &afterDone)
        try fields.field("timeZone", &timeZone)
        try fields.field("category", &category)
        try fields.field("newCategory", &newCategory)
        try fields.field("tags", &tags)
        try fields.field("parent", &parent)
        try fields.field("blockedBy", &blockedBy)
        try fields.field("muted", &muted)
        try fields.field("notes", &notes)
        try fields.field("url", &url)
        try fields.field("links", &links)
        try fields.field("priority", &priority)
        try fields.field("estimate", &estimate)
        try fields.field("percent", &percent)
        try fields.field("leads", &leads)
        try fields.field("alerts", &alerts)
        try fields.field("past", &past)
    }
}
