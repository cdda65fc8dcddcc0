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

    /// Sets the modification date of every item and category with unsaved changes.
    package func recordModifications(at now: Timestamp) throws {
        for item in try itemsOfChangedParts() { item.modifiedDate = now }
        let links = changedLinks()
        for object in updatedObjects {
            switch object {
            // Another item that is blocked by it is a change of that item, and one with the tag is a change of the item.
            case let item as ToDo where item.hasOwnChanges(links): item.modifiedDate = now
            case let category as Category: category.modifiedDate = now
            case let tag as Tag where tag.hasOwnChanges(links): tag.modifiedDate = now
            case let view as SavedView: view.modifiedDate = now
            default: break
            }
        }
    }

    /// Returns the items with unsaved changes to their alarms, links, completions or occurrences.
    ///
    /// The record of an alert is not such a change.
    package func itemsOfChangedParts() throws -> Set<ToDo> {
        let parts = changedObjects.compactMap { $0 as? any ItemPart }
        if parts.isEmpty { return [] }
        // An item that was deleted with its parts is not found here.
        return Set(
            try Set(parts.compactMap { try $0.idOfChangedItem() }).compactMap {
                try object(of: ToDo.self, id: $0)
            })
    }

    /// Returns the items with unsaved changes to their alarms, except the record of an alert.
    package func itemsOfChangedAlarms() throws -> Set<ToDo> {
        let ids = try changedObjects.compactMap { try ($0 as? Alarm)?.idOfChangedItem() }
        return Set(try Set(ids).compactMap { try object(of: ToDo.self, id: $0) })
    }
}

/// An object that belongs to one item, so that a change of it is a change of the item.
private protocol ItemPart: ManagedObject {
    /// The properties whose changes are not changes of the item.
    static var bookkeeping: Set<String> { get }
}

extension Alarm: ItemPart {
    fileprivate static var bookkeeping: Set<String> { ["toldForDue"] }
}

extension Link: ItemPart {
    fileprivate static var bookkeeping: Set<String> { [] }
}

extension Completion: ItemPart {
    fileprivate static var bookkeeping: Set<String> { [] }
}

extension Occurrence: ItemPart {
    fileprivate static var bookkeeping: Set<String> { [] }
}

extension ItemPart {
    fileprivate func idOfChangedItem() throws -> Int64? {
        guard case .integer(let id) = try value(of: "toDo"),
            !isUpdated || !Self.bookkeeping.isSuperset(of: changedProperties)
        else { return nil }
        return id
    }
}

extension ManagedObject {
    /// Whether the object has changes besides those of the inverse of a recorded many-to-many relationship.
    fileprivate func hasOwnChanges(_ links: [ObjectID: [String: LinkChange]]) -> Bool {
        let linked = Set(links[objectID].map { Array($0.keys) } ?? [])
        let inverse = linked.subtracting(ChangeRecord.linkNames(of: entity.name))
        guard !linked.isEmpty else { return true }
        if linked != inverse { return true }
        return !ObjectSnapshot(self, asSaved: true).differences(from: ObjectSnapshot(self)).isEmpty
    }
}
