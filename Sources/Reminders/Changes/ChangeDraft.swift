internal import ObjectStore
internal import Varlink

/// The objects of one change, before and after it.
///
/// They are recorded all at once or in batches. Each batch contains the changes of one save.
package struct ChangeDraft {
    private let context: ManagedObjectContext
    private let names: ChangeRecord.ColumnNames
    private let bytesLimit: Int
    private static let sharedEntities: Set = [Category.entityName, Tag.entityName]
    private var before = SnapshotText()
    private var after = SnapshotText()
    /// The categories and tags of all batches.
    ///
    /// Several batches may change the same one.
    private var shared: [ObjectID: (before: ObjectSnapshot?, after: ObjectSnapshot?)] = [:]
    /// The number of items that the change affects.
    package private(set) var itemCount = 0
    /// Whether the change exceeds the undo limit.
    ///
    /// Nothing of it is then kept in memory.
    package private(set) var isTooLarge = false

    init(_ context: ManagedObjectContext, _ names: ChangeRecord.ColumnNames, bytesLimit: Int) {
        self.context = context
        self.names = names
        self.bytesLimit = bytesLimit
    }

    /// Records the unsaved changes.
    ///
    /// An item may be in only one batch.
    package mutating func add() throws {
        itemCount += context.changedObjects.count { $0 is ToDo }
        if itemCount > ChangeLog.itemsLimit { dropAll() }
        if isTooLarge { return }
        // The save would do this, too, but only after the changes are recorded.
        for object in context.updatedObjects { (object as? ToDo)?.endVoidSnooze(isMovedByZone: false) }
        let record = try ChangeRecord(of: context)
        for name in record.names {
            let (old, new) = (record.before[name], record.after[name])
            if Self.sharedEntities.contains(name.entity) {
                shared[name] = (shared[name].map(\.before) ?? old, new)
            } else {
                before.append(old, names)
                after.append(new, names)
            }
            if before.byteCount + after.byteCount > bytesLimit { return dropAll() }
        }
    }

    private mutating func dropAll() {
        isTooLarge = true
        before = SnapshotText()
        after = SnapshotText()
        shared = [:]
    }

    /// Returns the objects before and after the change as JSON, or `nil` where there are none, and removes them from
    /// the draft.
    mutating func takeTexts() -> (before: String?, after: String?) {
        for (_, object) in shared.sorted(by: {
            ($0.key.entity, $0.key.id) < ($1.key.entity, $1.key.id)
        }) {
            before.append(object.before, names)
            after.append(object.after, names)
        }
        shared = [:]
        return (before.take(), after.take())
    }
}
