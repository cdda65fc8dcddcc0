package import CivilTime

/// A message to the user about one item, and the reason for it.
package struct Alert: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// The item is due soon.
        case dueSoon = "due-soon"
        /// The item became due while no alert could be sent.
        case missed
        /// The item's snooze has ended.
        case snoozed
        /// The item is past due and not completed, and an alert was sent before or the item has an alert after its due time.
        case overdue
        /// It is the time of an alarm that does not depend on the due time.
        case reminder
    }

    package let kind: Kind
    package let itemID: Int64
    /// The identifier that other programs use for the item.
    package let uid: String
    package let name: String
    /// The due time, or `nil` for a snoozed item without one.
    package let due: Timestamp?
    /// The date or the floating time that `due` means, or `nil` for a moment.
    package let localDue: LocalTime?
    package let category: String?
    /// The priority from 1, the highest, to 9, or 0 for none.
    package let priority: Int16

    package init(
        kind: Kind, itemID: Int64, uid: String, name: String, due: Timestamp?, localDue: LocalTime? = nil,
        category: String?, priority: Int16
    ) {
        self.kind = kind
        self.itemID = itemID
        self.uid = uid
        self.name = name
        self.due = due
        self.localDue = localDue
        self.category = category
        self.priority = priority
    }

    /// The due time as the user sees it.
    package var dueTime: CalendarTime? { CalendarTime(moment: due, local: localDue) }

    /// Orders alerts by due time, those without one last, and then by item ID.
    package static func isDueEarlier(_ left: Alert, _ right: Alert) -> Bool {
        let leftDue = left.due?.secondsSince1970 ?? .infinity
        let rightDue = right.due?.secondsSince1970 ?? .infinity
        return (leftDue, left.itemID) < (rightDue, right.itemID)
    }
}
