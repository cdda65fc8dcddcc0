package import CivilTime

/// That a person is to be told of an item, and why.
package struct Alert: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// It is about to fall due.
        case dueSoon = "due-soon"
        /// It fell due while nobody could be told.
        case missed
        /// It was put off until now.
        case snoozed
        /// It fell due, was told, and is still not done.
        case overdue
    }

    package let kind: Kind
    package let itemID: Int64
    /// What other programs know the item by.
    package let uid: String
    package let name: String
    /// Nil for an item that was put off and has no due date.
    package let due: Timestamp?
    package let category: String?
    /// From 1, the highest, to 9; 0 is none.
    package let priority: Int16

    package init(
        kind: Kind, itemID: Int64, uid: String, name: String, due: Timestamp?, category: String?,
        priority: Int16
    ) {
        self.kind = kind
        self.itemID = itemID
        self.uid = uid
        self.name = name
        self.due = due
        self.category = category
        self.priority = priority
    }

    /// By due date, what has none last; then by id.
    package static func isDueEarlier(_ left: Alert, _ right: Alert) -> Bool {
        let leftDue = left.due?.secondsSince1970 ?? .infinity
        let rightDue = right.due?.secondsSince1970 ?? .infinity
        return (leftDue, left.itemID) < (rightDue, right.itemID)
    }
}
