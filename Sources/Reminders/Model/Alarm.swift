package import CivilTime
package import ObjectStore

/// An alarm of an item, and the record of its alert.
package final class Alarm: ManagedObject {
    package override class var entityName: String { "Alarm" }

    /// The time from which an alarm is counted.
    package enum Anchor: Int16, AttributeValueConvertible, Sendable {
        /// The due time.
        case due = 0
        /// The start.
        case start = 1
        /// None: the alarm has a time of its own.
        case moment = 2
    }

    @Attribute package var anchor: Anchor = .due
    /// The number of seconds from the alarm to its anchor. It is negative for an alarm after its anchor.
    @Attribute package var offset: Int32 = 0
    /// The time of an alarm without an anchor.
    @Attribute package var date: Timestamp?
    /// The anchor time for which the alert was sent or skipped.
    @Attribute("toldForDue") package var alertedDueDate: Timestamp?
    /// The identifier in iCalendar.
    @Attribute(.length(ReminderModel.uidLengths)) package var uid: String?
    /// The text of the imported alarm that no other property has, in iCalendar.
    @Attribute package var remainder: [UInt8]?
    @ToOne(optional: false) package var toDo: ToDo?

    /// The time of the alarm.
    package var time: AlarmTime {
        get { AlarmTime(anchor, offset: offset, date: date) }
        set {
            (anchor, offset, date) =
                switch newValue {
                case .beforeDue(let seconds): (.due, seconds, nil)
                case .beforeStart(let seconds): (.start, seconds, nil)
                case .moment(let moment): (.moment, 0, moment)
                }
        }
    }
}

extension AlarmTime {
    /// Creates a time from the properties of an alarm.
    package init(_ anchor: Alarm.Anchor, offset: Int32, date: Timestamp?) {
        self =
            switch anchor {
            case .due: .beforeDue(offset)
            case .start: .beforeStart(offset)
            case .moment: date.map { .moment($0) } ?? .beforeDue(offset)
            }
    }
}
