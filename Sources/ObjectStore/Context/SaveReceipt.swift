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

    func announce() {
        context.coordinator.observers.tell(changes)
        context.observers.tell(.saved(changes))
    }

    func restore() {
        context.restore(self)
    }
}
