package import CivilTime
package import ObjectStore

/// A to-do item, with or without a due time.
package final class ToDo: ManagedObject {
    package override class var entityName: String { "ToDo" }

    /// The permanent identifier that other programs use for the item.
    @Attribute(.length(ReminderModel.uidLengths), .unique) package var uid: String
    @Attribute(.length(ReminderModel.nameLengths)) package var name: String
    @Attribute package var notes: String?
    @Attribute package var url: String?
    /// The priority from 1, the highest, to 9, or 0 for none.
    @Attribute(.range(0...9)) package var priority: Int16 = 0
    /// The due time, or the moment that `dueLocal` means in the time zone of the daemon.
    @Attribute package var dueDate: Timestamp?
    /// The date or the floating time at which the item is due, or `nil` for a due time with a time zone.
    ///
    /// A date has the form `2026-11-27`, a floating time `2026-11-27T20:00:00`.
    @Attribute(.length(LocalTime.lengths)) package var dueLocal: String?
    /// The time before which lists omit the item, or the moment that `startLocal` means in the time zone of the daemon.
    @Attribute package var startDate: Timestamp?
    /// The date or the floating time of the start, in the form of `dueLocal`.
    @Attribute(.length(LocalTime.lengths)) package var startLocal: String?
    /// The expected duration of the work, in seconds.
    @Attribute(.range(0...)) package var estimate: Int32?
    @Attribute(.range(0...100)) package var percentComplete: Int16 = 0
    @Attribute package var completed: Bool = false
    /// Whether the item was completed by cancelling it.
    @Attribute package var isCancelled: Bool = false
    /// Whether alerts are turned off for the item.
    @Attribute package var doNotAlert: Bool = false
    @Attribute package var createdDate: Timestamp
    /// The time of the user's last change, which an alert does not set.
    @Attribute package var modifiedDate: Timestamp
    /// The time of completion.
    ///
    /// It is also `nil` for an item that was completed before model version 3.
    @Attribute package var completedDate: Timestamp?
    /// The time of the last alert.
    @Attribute package var lastAlertDate: Timestamp?
    @Attribute package var snoozedUntil: Timestamp?
    /// The time up to which the user has seen the alerts, here or in another program, or `nil` if no program has said so.
    @Attribute package var acknowledgedDate: Timestamp?
    /// The latest alert time that was sent or skipped, if the item follows the default lead times.
    ///
    /// It always belongs to the current due time, because with another due time the alerts start again.
    @Attribute("toldForDue") package var alertedUpTo: Timestamp?
    /// The time of the next alert, which `AlertTimes` keeps up to date.
    @Attribute package var nextAlertDate: Timestamp?
    /// An RRULE of RFC 5545, or `nil` for an item that does not repeat.
    @Attribute package var recurrence: String?
    /// The due time from which the rule counts occurrences. It is in UTC for a date or a floating time.
    @Attribute package var recurrenceStart: Timestamp?
    @Attribute(.range(0...)) package var occurrencesDone: Int32 = 0
    /// Whether the next occurrence is counted from the completion of this one, and not from its due time.
    @Attribute package var repeatFromCompletion: Bool = false
    /// The occurrences that the rule has and the item does not, as values of EXDATE in iCalendar.
    @Attribute package var excludedDates: [String] = []
    /// The occurrences that the item has in addition to those of the rule, as values of RDATE in iCalendar.
    @Attribute package var addedDates: [String] = []
    /// The IANA name of the due time's time zone.
    @Attribute package var timeZone: String?
    /// The position among the children of the parent.
    @Attribute package var place: Int?
    /// The text of the imported task that no other property has, in iCalendar.
    @Attribute package var remainder: [UInt8]?
    @ToOne package var category: Category?
    @ToOne package var parent: ToDo?
    @ToMany(inverse: \ToDo.parent, orderedBy: \.place, deleteRule: .cascade)
    package var children: RelatedObjects<ToDo>
    /// The items that have to be completed before this one.
    @ToMany(inverse: \ToDo.blockedItems) package var blockers: RelatedObjects<ToDo>
    @ToMany package var blockedItems: RelatedObjects<ToDo>
    @ToMany(inverse: \Tag.toDos) package var tags: RelatedObjects<Tag>
    @ToMany(inverse: \Link.toDo, orderedBy: \.place, deleteRule: .cascade)
    package var links: RelatedObjects<Link>
    /// The item's own alarms, or none if the default lead times apply.
    @ToMany(inverse: \Alarm.toDo, deleteRule: .cascade) package var alarms: RelatedObjects<Alarm>
    /// The occurrences of a repeating item that were completed or skipped.
    @ToMany(inverse: \Completion.toDo, deleteRule: .cascade) package var completions:
        RelatedObjects<Completion>
    /// The occurrences of a repeating item with values of their own.
    @ToMany(inverse: \Occurrence.toDo, deleteRule: .cascade) package var occurrences:
        RelatedObjects<Occurrence>
    /// The alert states of the persons who share the category of the item.
    @ToMany(inverse: \PersonState.toDo, deleteRule: .cascade) package var personStates:
        RelatedObjects<PersonState>
    @ToMany(inverse: \SyncEntry.toDo) package var syncEntries: RelatedObjects<SyncEntry>

    /// Whether all properties, including the record of alerts, were copied from another store.
    ///
    /// A save leaves them as they are. This flag is not stored.
    package var isRestored = false
    /// Whether an undo or a redo set the properties, so that alerts are not sent again.
    ///
    /// This flag is not stored.
    package var isReplayed = false
    /// The number of seconds by which another time zone has moved the due time since the last save.
    ///
    /// This number is not stored.
    package var zoneDistance: Double?
    /// Whether the snooze was set together with the due time, even to the same value.
    ///
    /// This flag is not stored.
    package var keepsSnooze = false
}
