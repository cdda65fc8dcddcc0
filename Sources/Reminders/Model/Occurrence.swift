package import CivilTime
package import ObjectStore

/// An occurrence of a repeating item with values of its own, as RECURRENCE-ID in iCalendar.
///
/// A value that is `nil` is that of the item.
package final class Occurrence: ManagedObject {
    package override class var entityName: String { "Occurrence" }

    /// The due time that the rule gives the occurrence, as the value of RECURRENCE-ID in iCalendar.
    @Attribute(.length(1...64)) package var recurrenceID: String
    /// The moment that `recurrenceID` means in the time zone of the daemon.
    @Attribute package var date: Timestamp
    @Attribute(.length(ReminderModel.nameLengths)) package var name: String?
    @Attribute package var notes: String?
    @Attribute(.range(0...9)) package var priority: Int16?
    @Attribute package var dueDate: Timestamp?
    @Attribute(.length(LocalTime.lengths)) package var dueLocal: String?
    @Attribute package var startDate: Timestamp?
    @Attribute(.length(LocalTime.lengths)) package var startLocal: String?
    @Attribute package var completedDate: Timestamp?
    @Attribute package var isCancelled: Bool = false
    /// The text of the imported override that no other property has, in iCalendar.
    @Attribute package var remainder: [UInt8]?
    @ToOne(optional: false) package var toDo: ToDo?
}
