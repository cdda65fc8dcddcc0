package import CivilTime
package import ObjectStore

extension ManagedObjectContext {
    /// Makes a new item, which still needs its name.
    package func insertToDo(at now: Timestamp) throws -> ToDo {
        let item = try insert(ToDo.self)
        item.uid = UUIDValue().description
        item.createdDate = now
        item.modifiedDate = now
        return item
    }

    /// Makes a new category, which still needs its name.
    package func insertCategory(at now: Timestamp) throws -> Category {
        let category = try insert(Category.self)
        category.uid = UUIDValue().description
        category.createdDate = now
        category.modifiedDate = now
        return category
    }

    /// Notes with every item and category that a person has changed, and not saved yet, when that was.
    package func noteModifications(at now: Timestamp) {
        for object in updatedObjects {
            (object as? ToDo)?.modifiedDate = now
            (object as? Category)?.modifiedDate = now
        }
    }
}
