package import CivilTime
package import ObjectStore

/// Something to be done, perhaps at a certain time.
package final class ToDo: ManagedObject {
    /// What other programs know it by, for ever.
    @Attribute("uid") package var uid: String
    @Attribute("name") package var name: String
    @Attribute("notes") package var notes: String?
    /// From 1, the highest, to 9; 0 is none.
    @Attribute("priority") package var priority: Int16
    @Attribute("dueDate") package var dueDate: Timestamp?
    @Attribute("completed") package var completed: Bool
    /// No alert is given for it.
    @Attribute("doNotAlert") package var doNotAlert: Bool
    @Attribute("createdDate") package var createdDate: Timestamp
    /// When a person last changed it; that an alert was given is no change.
    @Attribute("modifiedDate") package var modifiedDate: Timestamp
    /// Nil also when it was completed before that was noted.
    @Attribute("completedDate") package var completedDate: Timestamp?
    /// When its last alert was given.
    @Attribute("lastAlertDate") package var lastAlertDate: Timestamp?
    @Attribute("snoozedUntil") package var snoozedUntil: Timestamp?
    /// The latest of its alert times, by the default lead times, that was sent or passed over. It is of the present due
    /// time, because another one starts again.
    @Attribute("toldForDue") package var alertedTo: Timestamp?
    /// When its next alert is sent; `AlertPoints` keeps it.
    @Attribute("nextAlertDate") package var nextAlertDate: Timestamp?
    /// An RRULE of RFC 5545; nil for an item that does not come again.
    @Attribute("recurrence") package var recurrence: String?
    /// The due time from which the rule counts.
    @Attribute("recurrenceStart") package var recurrenceStart: Timestamp?
    @Attribute("occurrencesDone") package var occurrencesDone: Int32
    /// The next occurrence is counted from when this one was completed, not from when it was due.
    @Attribute("repeatFromCompletion") package var repeatFromCompletion: Bool
    /// The IANA name of the zone whose clock the due time follows.
    @Attribute("timeZone") package var timeZone: String?
    @ToOne("category") package var category: Category?
    /// When it is told before it is due; none means at the default lead.
    @ToMany("alarms") package var alarms: RelatedObjects<Alarm>

    /// It was set as a whole, with what was told of it, as another store had it: the save leaves that as it is. Not in
    /// the store.
    package var isRestored = false
    /// It was set by an undo or a redo: alerts that were sent are not sent again. Not in the store.
    package var isReplayed = false
    /// Its snooze was set along with its due time, even if it stays what it was. Not in the store.
    package var keepsSnooze = false
}
