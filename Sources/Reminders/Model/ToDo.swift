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
    /// How many seconds before its due time it is told, where that differs from the setting.
    @Attribute("leadTime") package var leadTime: Int32?
    @Attribute("nextAlertDate") package var nextAlertDate: Timestamp?
    @ToOne("category") package var category: Category?
}
