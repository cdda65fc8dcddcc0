package import CivilTime
package import ObjectStore

/// One alert of an item before it is due.
package final class Alarm: ManagedObject {
    /// How many seconds before the due time.
    @Attribute("offset") package var offset: Int32
    /// The due time for which it was given, or is not wanted any more.
    @Attribute("toldForDue") package var toldForDue: Timestamp?
    @ToOne("toDo") package var toDo: ToDo?
}
