package import CivilTime
package import ObjectStore

/// An occurrence of a repeating item that was completed or skipped.
package final class Completion: ManagedObject {
    package override class var entityName: String { "Completion" }

    /// The time of the completion.
    @Attribute package var date: Timestamp
    /// The due time of the occurrence.
    @Attribute package var dueDate: Timestamp?
    /// The date or the floating time at which the occurrence was due, in the form of `ToDo.dueLocal`.
    @Attribute(.length(LocalTime.lengths)) package var dueLocal: String?
    /// Whether the occurrence was passed over without being done.
    @Attribute package var isSkipped: Bool = false
    @ToOne(optional: false) package var toDo: ToDo?
}
