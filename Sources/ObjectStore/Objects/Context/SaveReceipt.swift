/// The record of a save in a batch. It is used to report the save to observers, or to restore its unsaved changes.
struct SaveReceipt {
    /// The state of an object before the save.
    struct Entry {
        let object: ManagedObject
        let state: ManagedObject.State
        let savedValues: RowValues?
        let changed: ColumnSet
    }

    let context: ManagedObjectContext
    let entries: [Entry]
    let pairs: [ManagedObjectContext.PairKey: Bool]
    let changes: SavedChanges
    /// Whether the changes were made without objects, such as by `updateAll`.
    var isDirect = false
    /// Whether the save may have changed any object, because it was a statement in SQL.
    var isOfUnknownObjects = false

    var isEmpty: Bool { entries.isEmpty && pairs.isEmpty && changes.isEmpty && !isOfUnknownObjects }

    /// Returns a receipt that contains only the changes in some of the stores.
    func part(_ isIncluded: (_ position: Int) -> Bool) -> SaveReceipt {
        let stores = Set(
            context.coordinator.places.filter { isIncluded($0.position) }.map(\.objectIdentifier))
        return SaveReceipt(
            context: context, entries: entries.filter { isIncluded($0.object.storePosition) },
            pairs: pairs.filter { isIncluded($0.key.store) },
            changes: changes.filter { stores.contains($0.store) }, isDirect: isDirect,
            isOfUnknownObjects: isOfUnknownObjects)
    }

    func notifyObservers() {
        context.coordinator.observers.notify(changes)
        context.observers.notify(.saved(changes))
        context.coordinator.reportToLiveResults(.saved(changes, by: context, isDirect: isDirect))
    }

    func restore() {
        context.restore(self)
    }
}
