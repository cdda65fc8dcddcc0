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

    /// Sets the modification date of every item and category with unsaved changes.
    package func recordModifications(at now: Timestamp) throws {
        for item in try itemsOfChangedAlarms() { item.modifiedDate = now }
        for object in updatedObjects {
            (object as? ToDo)?.modifiedDate = now
            (object as? Category)?.modifiedDate = now
        }
    }

    /// Returns the items with unsaved changes to their lead times.
    ///
    /// The record of an alert is not such a change.
    package func itemsOfChangedAlarms() throws -> Set<ToDo> {
        let alarms = changedObjects.compactMap { $0 as? Alarm }
        if alarms.isEmpty { return [] }
        // An item that was deleted with its alarms is not found here.
        return Set(
            try Set(alarms.compactMap { try $0.idOfChangedItem() }).compactMap {
                try object(of: ToDo.self, id: $0)
            })
    }
}

extension Alarm {
    fileprivate func idOfChangedItem() throws -> Int64? {
        guard case .integer(let id) = try value(of: "toDo"),
            !isUpdated || hasChanges(\.offset)
        else { return nil }
        return id
    }
}
