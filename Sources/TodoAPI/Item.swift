package import CivilTime

/// A to-do item as the API shows it.
package struct Item: NamedBody, Hashable {
    package static let varlinkType = "Item"
    /// More alerts of one item than anybody wants.
    package static let leadsLimit = 16
    /// As long as a message that adds an item may be; an import brings no longer ones.
    package static let notesBytesLimit = 1 << 20

    package var id: Int64 = 0
    package var uid = ""
    package var name = ""
    package var notes: String?
    /// From 1, the highest, to 9; 0 is none.
    package var priority: Int64 = 0
    package var due: Timestamp?
    /// The RRULE by which it comes again, and what that says in words; nil when it comes once.
    package var recurrence: String?
    package var every: String?
    /// Its next time is counted from when it is done, not from when it was due. Lists have this and
    /// the next two only if they are asked for.
    package var afterDone: Bool?
    /// How many of its times lie behind, where the rule counts them.
    package var occurrencesDone: Int64?
    /// The IANA name of the zone whose clock its times keep.
    package var timeZone: String?
    package var completed = false
    package var muted = false
    package var category: String?
    /// No alert is given for the items of its category; nil when that is not so.
    package var categoryMuted: Bool?
    /// How many seconds before it is due it is told, the first first; none means at the default lead. Lists have it only
    /// if they are asked for it.
    package var leads: [Int64]?
    package var snoozedUntil: Timestamp?
    /// Its own next point in time to be told at, whether or not alerts are held back then.
    package var nextAlert: Timestamp?
    /// When it is told really, where that is later than `nextAlert`. Lists have it only if they are asked for it.
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
        try fields.field("priority", &priority)
        try fields.field("due", &due)
        try fields.field("recurrence", &recurrence)
        try fields.field("every", &every)
        try fields.field("afterDone", &afterDone)
        try fields.field("occurrencesDone", &occurrencesDone)
        try fields.field("timeZone", &timeZone)
        try fields.field("completed", &completed)
        try fields.field("muted", &muted)
        try fields.field("category", &category)
        try fields.field("categoryMuted", &categoryMuted)
        try fields.field("leads", &leads)
        try fields.field("snoozedUntil", &snoozedUntil)
        try fields.field("nextAlert", &nextAlert)
        try fields.field("heldUntil", &heldUntil)
        try fields.field("lastAlert", &lastAlert)
        try fields.field("createdAt", &createdAt)
        try fields.field("modifiedAt", &modifiedAt)
        try fields.field("completedAt", &completedAt)
    }
}

/// The items that a method speaks of.
package struct ItemList: MessageBody {
    /// With `more`, a reply ends behind the item with which it is longer than this.
    package static let pieceBytes = 256 << 10

    package var items: [Item] = []

    package init() {}

    package init(items: [Item]) { self.items = items }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("items", &items)
    }
}

/// The items that a method has changed, or was to change.
package struct ItemChanges: MessageBody {
    package var items: [Item] = []
    /// The ids of the items that were as they were to be already; `nil` if there are none.
    package var unchanged: [Int64]?

    package init() {}

    package init(items: [Item], unchanged: [Int64]?) {
        self.items = items
        self.unchanged = unchanged
    }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("items", &items)
        try fields.field("unchanged", &unchanged)
    }
}

/// The items that a method is to act on.
package struct ItemIDs: MessageBody {
    /// More than this are refused: all of them are in memory at once, and in the reply.
    package static let limit = 100_000
    /// Items whose reply would be longer are refused.
    package static let replyBytesLimit = 16 << 20

    package var ids: [Int64] = []

    package init() {}

    package init(ids: [Int64]) { self.ids = ids }

    package mutating func code(_ fields: inout some FieldCoder) throws(FieldError) {
        try fields.field("ids", &ids)
    }
}
