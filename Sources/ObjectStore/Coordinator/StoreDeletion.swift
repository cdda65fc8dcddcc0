/// What deleting many objects at once came to, by the positions of the entities in the model.
public struct StoreDeletion {
    public var deleted: [Int: [Int64]] = [:]
    /// The objects that lost a reference to one that was deleted.
    public var updated: [Int: [Int64]] = [:]
    /// The objects that lost a pair of a many-to-many relationship with one that was deleted. Their rows stay the same.
    public var unlinked: [Int: Set<Int64>] = [:]
    /// What stood against it: then nothing was changed.
    public var denials: [DeleteDeniedError.Denial] = []

    public init() {}
}
