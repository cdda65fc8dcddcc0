/// What one save changed in the store.
public struct SavedChanges: Hashable, Sendable {
    public var inserted: [ObjectID] = []
    public var updated: [ObjectID] = []
    public var deleted: [ObjectID] = []

    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}
