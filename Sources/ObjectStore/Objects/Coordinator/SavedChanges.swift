/// The objects that a save inserted, updated and deleted.
public struct SavedChanges: Hashable, Sendable {
    /// The objects that were inserted.
    public var inserted: [ObjectID] = []
    /// The objects with changed values or relationships.
    public var updated: [ObjectID] = []
    /// The objects that were deleted.
    public var deleted: [ObjectID] = []

    /// Creates a description of changes.
    public init(inserted: [ObjectID] = [], updated: [ObjectID] = [], deleted: [ObjectID] = []) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Adds the changes of a later save.
    public mutating func append(_ other: SavedChanges) {
        inserted += other.inserted
        updated += other.updated
        deleted += other.deleted
    }

    func filter(_ isIncluded: (ObjectID) -> Bool) -> SavedChanges {
        SavedChanges(
            inserted: inserted.filter(isIncluded), updated: updated.filter(isIncluded),
            deleted: deleted.filter(isIncluded))
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
