package import CivilTime
package import ObjectStore

extension ManagedObjectContext {
    /// Makes a new item, which still needs its name.
    package func insertToDo(at now: Timestamp) throws -> ToDo {
        let item = try insert(ToDo.self)
        item.uid = UUIDValue(at: now).description
        item.createdDate = now
        item.modifiedDate = now
        return item
    }

    /// Makes a new category, which still needs its name.
    package func insertCategory(at now: Timestamp) throws -> Category {
        let category = try insert(Category.self)
        category.uid = UUIDValue(at: now).description
        category.createdDate = now
        category.modifiedDate = now
        return category
    }

    /// Notes with every item and category that a person has changed, and not saved yet, when that was.
    package func noteModifications(at now: Timestamp) throws {
        for item in try itemsOfChangedAlarms() { item.modifiedDate = now }
        for object in updatedObjects {
            (object as? ToDo)?.modifiedDate = now
            (object as? Category)?.modifiedDate = now
        }
    }

    /// The items that have other alarms than the store knows. That an alarm was given is no change of it.
    package func itemsOfChangedAlarms() throws -> Set<ToDo> {
        let alarms = changedObjects.compactMap { $0 as? Alarm }
        if alarms.isEmpty { return [] }
        // An item that was deleted with its alarms is not found.
        return Set(
            try Set(alarms.compactMap(\.idOfChangedItem)).compactMap { try object(of: ToDo.self, id: $0) })
    }
}

extension Alarm {
    fileprivate var idOfChangedItem: Int64? {
        guard case .integer(let id)? = try? value(of: "toDo"),
            !isUpdated || changedProperties.contains("offset")
        else { return nil }
        return id
    }
}
