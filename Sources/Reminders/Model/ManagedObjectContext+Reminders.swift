package import CivilTime
package import ObjectStore

extension ManagedObjectContext {
    /// Inserts a new item without a name, which the caller must set.
    package func insertToDo(at now: Timestamp) throws -> ToDo {
        let item = try insert(ToDo.self)
        item.uid = UUIDValue(at: now).description
        item.createdDate = now
        item.modifiedDate = now
        return item
    }

    /// Inserts a new category without a name, which the caller must set.
    package func insertCategory(at now: Timestamp) throws -> Category {
        let category = try insert(Category.self)
        category.uid = UUIDValue(at: now).description
        category.createdDate = now
        category.modifiedDate = now
        return category
    }

    /// Inserts a new tag.
    package func insertTag(_ name: String, at now: Timestamp) throws -> Tag {
        let tag = try insert(Tag.self)
        tag.uid = UUIDValue(at: now).description
        tag.name = name
        tag.createdDate = now
        tag.modifiedDate = now
        return tag
    }

    /// Inserts a view with the arguments of `ListItems` in JSON.
    package func insertView(_ name: String, query: String, at now: Timestamp) throws -> SavedView {
        let view = try insert(SavedView.self)
        view.name = name
        view.query = query
        view.createdDate = now
        view.modifiedDate = now
        return view
    }

    /// Returns the items with unsaved changes to their alarms, links, completions or occurrences.
    ///
    /// The record of an alert is not such a change.
    package func itemsOfChangedParts() throws -> Set<ToDo> {
        try items(of: changedObjects.compactMap { $0 as? any ItemPart })
    }

    /// Returns the items with unsaved changes to their alarms, except the record of an alert.
    package func itemsOfChangedAlarms() throws -> [ToDo: Set<Alarm.Anchor>] {
        var anchors: [ToDo: Set<Alarm.Anchor>] = [:]
        for alarm in changedObjects.compactMap({ $0 as? Alarm }) {
            guard let anchor = Alarm.Anchor(attributeValue: try alarm.value(of: "anchor")) else { continue }
            for item in try items(of: [alarm]) { anchors[item, default: []].insert(anchor) }
        }
        return anchors
    }

    private func items(of parts: [any ItemPart]) throws -> Set<ToDo> {
        // An item that was deleted with its parts is not found here.
        Set(
            try Set(parts.compactMap { try $0.idOfChangedItem() }).compactMap {
                try object(of: ToDo.self, id: $0)
            })
    }
}

/// An object that belongs to one item, so that a change of it is a change of the item.
protocol ItemPart: ManagedObject {
    /// The relationship of the item that has such parts.
    static var relationship: String { get }
    /// The properties whose changes are not changes of the item.
    static var bookkeeping: Set<String> { get }
    var toDo: ToDo? { get }
}

extension Alarm: ItemPart {
    static var relationship: String { "alarms" }
    static var bookkeeping: Set<String> { ["toldForDue"] }
}

extension Link: ItemPart {
    static var relationship: String { "links" }
}

extension Completion: ItemPart {
    static var relationship: String { "completions" }
}

extension Occurrence: ItemPart {
    static var relationship: String { "occurrences" }
}

extension ItemPart {
    static var bookkeeping: Set<String> { [] }

    fileprivate func idOfChangedItem() throws -> Int64? {
        guard case .integer(let id) = try value(of: "toDo"),
            !isUpdated || !Self.bookkeeping.isSuperset(of: changedProperties)
        else { return nil }
        return id
    }
}
