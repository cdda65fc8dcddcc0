package import CivilTime
package import ObjectStore

/// A lead time of an item, and the record of its alert.
package final class Alarm: ManagedObject {
    package override class var entityName: String { "Alarm" }

    /// The lead time in seconds.
    @Attribute(.range(0...)) package var offset: Int32
    /// The due time for which the alert was sent or skipped.
    @Attribute("toldForDue") package var alertedDueDate: Timestamp?
    @ToOne(optional: false) package var toDo: ToDo?
}
