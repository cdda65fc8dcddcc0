package import CivilTime
package import ObjectStore

/// A to-do item, with or without a due time.
package final class ToDo: ManagedObject {
    package override class var entityName: String { "ToDo" }

    /// The permanent identifier that other programs use for the item.
    @Attribute(.length(ReminderModel.uidLengths), .unique) package var uid: String
    @Attribute(.length(ReminderModel.nameLengths)) package var name: String
    @Attribute package var notes: String?
    /// The priority from 1, the highest, to 9, or 0 for none.
    @Attribute(.range(0...9)) package var priority: Int16 = 0
    @Attribute package var dueDate: Timestamp?
    @Attribute package var completed: Bool = false
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
    /// The latest alert time that was sent or skipped, if the item follows the default lead times.
    ///
    /// It always belongs to the current due time, because with another due time the alerts start again.
    @Attribute("toldForDue") package var alertedUpTo: Timestamp?
    /// The time of the next alert, which `AlertTimes` keeps up to date.
    @Attribute package var nextAlertDate: Timestamp?
    /// An RRULE of RFC 5545, or `nil` for an item that does not repeat.
    @Attribute package var recurrence: String?
    /// The due time from which the rule counts occurrences.
    @Attribute package var recurrenceStart: Timestamp?
    @Attribute(.range(0...)) package var occurrencesDone: Int32 = 0
    /// Whether the next occurrence is counted from the completion of this one, and not from its due time.
    @Attribute package var repeatFromCompletion: Bool = false
    /// The IANA name of the due time's time zone.
    @Attribute package var timeZone: String?
    @ToOne package var category: Category?
    /// The item's own lead times, or none if the default lead times apply.
    @ToMany(inverse: \Alarm.toDo, deleteRule: .cascade) package var alarms: RelatedObjects<Alarm>

    /// Whether all properties, including the record of alerts, were copied from another store.
    ///
    /// A save leaves them as they are. This flag is not stored.
    package var isRestored = false
    /// Whether an undo or a redo set the properties, so that alerts are not sent again.
    ///
    /// This flag is not stored.
    package var isReplayed = false
    /// Whether the snooze was set together with the due time, even to the same value.
    ///
    /// This flag is not stored.
    package var keepsSnooze = false
}
