package import CivilTime
package import ObjectStore

/// Something to be done, perhaps at a certain time.
package final class ToDo: ManagedObject {
    @Attribute("name") package var name: String
    @Attribute("dueDate") package var dueDate: Timestamp?
    @Attribute("completed") package var completed: Bool
    /// When its last alert was given.
    @Attribute("lastAlertDate") package var lastAlertDate: Timestamp?
    /// No alert is given for it.
    @Attribute("doNotAlert") package var doNotAlert: Bool
    @ToOne("category") package var category: Category?
}
