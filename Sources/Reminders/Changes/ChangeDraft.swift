internal import ObjectStore
internal import Varlink

/// The objects of one change before and after it, as they are taken down: all at once, or lot by lot, where a lot is what
/// a save is about.
package struct ChangeDraft {
    private let context: ManagedObjectContext
    private let names: ChangeRecord.ColumnNames
    private let bytesLimit: Int
    private var before = SnapshotText()
    private var after = SnapshotText()
    /// Categories stand in what many items say, so several lots may be about one.
    private var categories: [ObjectID: (before: ObjectSnapshot?, after: ObjectSnapshot?)] = [:]
    /// How many items the change touches.
    package private(set) var itemCount = 0
    /// Whether there is so much of it that it cannot be undone; then nothing of it is held.
    package private(set) var isTooLarge = false

    init(_ context: ManagedObjectContext, _ names: ChangeRecord.ColumnNames, bytesLimit: Int) {
        self.context = context
        self.names = names
        self.bytesLimit = bytesLimit
    }

    /// Takes down what is changed and not saved yet. An item may be in one lot only.
    package mutating func add() throws {
        itemCount += context.changedObjects.count { $0 is ToDo }
        if itemCount > ChangeLog.itemsLimit { dropAll() }
        if isTooLarge { return }
        // The save would do so too, when all is taken down.
        for object in context.updatedObjects { (object as? ToDo)?.endVoidSnooze() }
        let record = try ChangeRecord(of: context)
        for name in record.names {
            let (old, new) = (record.before[name], record.after[name])
            if name.entity == "Category" {
                categories[name] = (categories[name].map(\.before) ?? old, new)
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
        categories = [:]
    }

    /// The objects before and after, in JSON, of which nothing is left here; nil where there are none.
    mutating func takeTexts() -> (before: String?, after: String?) {
        for (_, category) in categories.sorted(by: { $0.key.id < $1.key.id }) {
            before.append(category.before, names)
            after.append(category.after, names)
        }
        categories = [:]
        return (before.take(), after.take())
    }
}
