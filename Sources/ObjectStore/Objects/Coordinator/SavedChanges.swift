/// The objects that a save inserted, updated and deleted.
public struct SavedChanges: Hashable, Sendable {
    /// The objects that were inserted.
    public var inserted: [ObjectID] = []
    /// The objects with changed values or relationships.
    public var updated: [ObjectID] = []
    /// The objects that were deleted.
    public var deleted: [ObjectID] = []
    /// The ``ManagedObjectContext/transactionAuthor`` of the save, also of one by another program.
    public var author: String?

    /// Creates a description of changes.
    public init(
        inserted: [ObjectID] = [], updated: [ObjectID] = [], deleted: [ObjectID] = [], author: String? = nil
    ) {
        self.author = author
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Creates a description of the changes in a transaction of a history.
    public init(_ transaction: HistoryTransaction) {
        author = transaction.author
        for change in transaction.changes {
            switch change.kind {
            case .inserted: inserted.append(change.object)
            case .updated: updated.append(change.object)
            case .deleted: deleted.append(change.object)
            }
        }
    }

    /// Adds the changes of a later save. Without a common author, the result has none.
    public mutating func append(_ other: SavedChanges) {
        if isEmpty { author = other.author }
        if author != other.author { author = nil }
        inserted += other.inserted
        updated += other.updated
        deleted += other.deleted
    }

    func filter(_ isIncluded: (ObjectID) -> Bool) -> SavedChanges {
        SavedChanges(
            inserted: inserted.filter(isIncluded), updated: updated.filter(isIncluded),
            deleted: deleted.filter(isIncluded), author: author)
    }

    mutating func record(_ object: ManagedObject) {
        switch object.state {
        case .inserted: inserted.append(object.objectID)
        case .saved where object.isUpdated: updated.append(object.objectID)
        case .deleted: deleted.append(object.objectID)
        case .saved, .detached: break
        }
    }
}
