package import CivilTime
package import ObjectStore

extension ManagedObjectContext {
    /// Sets the modification date of every item, category, tag and saved view with unsaved changes.
    package func recordModifications(at now: Timestamp) throws {
        for item in try itemsOfChangedParts() { item.modifiedDate = now }
        let links = changedLinks()
        for object in updatedObjects {
            switch object {
            // The other end of a pair may be the only change of an object. An item that gets a tag changes, but the tag
            // does not. An item that is blocked by another one changes, but the other one does not.
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
