/// What a context needs to take back a save that its batch could not keep, and to announce one that it could.
struct SaveReceipt {
    /// How an object stood before the save.
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

    var isEmpty: Bool { entries.isEmpty && pairs.isEmpty && changes.isEmpty }

    /// What of the save was in some of the stores.
    func part(_ isIncluded: (_ position: Int) -> Bool) -> SaveReceipt {
        let stores = Set(
            context.coordinator.places.filter { isIncluded($0.position) }.map(\.objectIdentifier))
        return SaveReceipt(
            context: context, entries: entries.filter { isIncluded($0.object.home.store) },
            pairs: pairs.filter { isIncluded($0.key.store) },
            changes: changes.filter { stores.contains($0.store) })
    }

    func announce() {
        context.coordinator.observers.tell(changes)
        context.observers.tell(.saved(changes))
    }

    func restore() {
        context.restore(self)
    }
}
