package import CivilTime

/// That a person is to be told of an item, and why.
package struct Alert: Hashable, Sendable {
    package enum Kind: String, Sendable {
        case dueSoon = "due-soon"
    }

    package let kind: Kind
    package let itemID: Int64
    package let name: String
    package let due: Timestamp
    package let category: String?

    package init(kind: Kind, itemID: Int64, name: String, due: Timestamp, category: String?) {
        self.kind = kind
        self.itemID = itemID
        self.name = name
        self.due = due
        self.category = category
    }
}
