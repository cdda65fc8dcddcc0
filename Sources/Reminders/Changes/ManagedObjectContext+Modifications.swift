package import CivilTime
package import ObjectStore

extension ManagedObjectContext {
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
}

extension ManagedObject {
    /// Whether the object has changes besides those of the inverse of a recorded many-to-many relationship.
    fileprivate func hasOwnChanges(_ links: [ObjectID: [String: LinkedObjectsChange]]) -> Bool {
        let linked = Set(links[objectID].map { Array($0.keys) } ?? [])
        let inverse = linked.subtracting(ChangeRecord.linkNames(of: entity.name))
        guard !linked.isEmpty else { return true }
        if linked != inverse { return true }
        return !ObjectSnapshot(self, asSaved: true).differences(from: ObjectSnapshot(self)).isEmpty
    }
}
